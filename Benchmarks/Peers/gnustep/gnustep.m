// GNUstep's NSInvocation: methods whose implementations are the callees, called by signature, invocation and arguments
// by address.
#import <Foundation/Foundation.h>
#import <objc/runtime.h>

#include "peer.h"

@interface Callees : NSObject
@end

@implementation Callees
@end

@interface Callees (Methods)
- (void)w0;
- (int64_t)w2:(int64_t)a with:(int64_t)b;
- (double)w4:(int)a with:(double)b with:(float)c with:(signed char)d with:(void *)e with:(short)f with:(workload_pair)g with:(double)h;
- (NSRect)wr:(NSRect)rect by:(NSPoint)point by:(NSRange)range;
@end

static id target;

// The number of operations between drains of the autorelease pool.
enum { pool_size = 64 };

static SEL selector_of(workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return @selector(w0);
  case workload_suite_w2: return @selector(w2:with:);
  case workload_suite_w4: return @selector(w4:with:with:with:with:with:with:with:);
  case workload_suite_wr: return @selector(wr:by:by:);
  }
  return NULL;
}

// NSRect, NSPoint and NSRange have the layout of the callee's structs, and are the types that NSInvocation supports
// best.
static const char *types_of(workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return "v@:";
  case workload_suite_w2: return "q@:qq";
  case workload_suite_w4: return "d@:idfc^vs{II=ii}d";
  case workload_suite_wr: {
    static char types[256];
    snprintf(types, sizeof types, "%s@:%s%s%s", @encode(NSRect), @encode(NSRect), @encode(NSPoint), @encode(NSRange));
    return types;
  }
  }
  return NULL;
}

static void set_arguments(NSInvocation *invocation, workload_suite suite, size_t index) {
  switch (suite) {
  case workload_suite_w0: break;
  case workload_suite_w2: {
    int64_t a = (int64_t)index, b = 2;
    [invocation setArgument:&a atIndex:2];
    [invocation setArgument:&b atIndex:3];
    break;
  }
  case workload_suite_w4: {
    int a = (int)index;
    double b = 2, h = 6;
    float c = 3;
    signed char d = 4;
    void *e = NULL;
    short f = 5;
    workload_pair g = {3, 4};
    [invocation setArgument:&a atIndex:2];
    [invocation setArgument:&b atIndex:3];
    [invocation setArgument:&c atIndex:4];
    [invocation setArgument:&d atIndex:5];
    [invocation setArgument:&e atIndex:6];
    [invocation setArgument:&f atIndex:7];
    [invocation setArgument:&g atIndex:8];
    [invocation setArgument:&h atIndex:9];
    break;
  }
  case workload_suite_wr: {
    NSRect rect = NSMakeRect(index, 2, 3, 4);
    NSPoint point = NSMakePoint(1, 2);
    NSRange range = NSMakeRange(1, 2);
    [invocation setArgument:&rect atIndex:2];
    [invocation setArgument:&point atIndex:3];
    [invocation setArgument:&range atIndex:4];
    break;
  }
  }
}

static double result_of(NSInvocation *invocation, workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return 0;
  case workload_suite_w2: {
    int64_t result;
    [invocation getReturnValue:&result];
    return (double)result;
  }
  case workload_suite_w4: {
    double result;
    [invocation getReturnValue:&result];
    return result;
  }
  case workload_suite_wr: {
    NSRect result;
    [invocation getReturnValue:&result];
    return result.origin.x;
  }
  }
  return 0;
}

static NSInvocation *make(workload_suite suite) {
  NSMethodSignature *signature = [NSMethodSignature signatureWithObjCTypes:types_of(suite)];
  NSInvocation *invocation = [NSInvocation invocationWithMethodSignature:signature];
  [invocation setTarget:target];
  [invocation setSelector:selector_of(suite)];
  return invocation;
}

static double invoke(workload_suite suite, size_t count) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  NSInvocation *invocation = make(suite);
  set_arguments(invocation, suite, count - 1);
  for (size_t index = 0; index < count; index += 1) [invocation invoke];
  double last = result_of(invocation, suite);
  [pool release];
  return last;
}

static double set(workload_suite suite, size_t count) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  NSInvocation *invocation = make(suite);
  double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    set_arguments(invocation, suite, index);
    [invocation invoke];
    last = result_of(invocation, suite);
  }
  [pool release];
  return last;
}

static double create(workload_suite suite, size_t count) {
  double last = 0;
  for (size_t index = 0; index < count;) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    for (int each = 0; each < pool_size && index < count; each += 1, index += 1) {
      NSInvocation *invocation = make(suite);
      set_arguments(invocation, suite, index);
      [invocation invoke];
      last = result_of(invocation, suite);
    }
    [pool release];
  }
  return last;
}

static void overwrite_stack(void) {
  volatile unsigned char bytes[8192];
  for (size_t each = 0; each < sizeof bytes; each += 1) bytes[each] = 0x55;
}

// Returns whether an invocation passes the same arguments again after the stack below was used. With libffi 3.4.3 to
// 3.6 it does not for a struct of more than 16 bytes: ffi_call stores the address of its own copy, which is dead by
// then, in the invocation. Loops that do nothing else find the copy unchanged, so their results do not show the error.
static bool can_be_reused(workload_suite suite) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  NSInvocation *invocation = make(suite);
  set_arguments(invocation, suite, 7);
  [invocation invoke];
  double first = result_of(invocation, suite);
  overwrite_stack();
  [invocation invoke];
  double second = result_of(invocation, suite);
  [pool release];
  return first == second;
}

static void add(workload_suite suite, const char *phase, peer_loop loop, bool is_right) {
  if (is_right) {
    peer_add(suite, phase, loop);
  } else {
    peer_add_wrong(suite, phase);
  }
}

int main(void) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  target = [Callees new];
  const workload_suite suites[] = {workload_suite_w0, workload_suite_w2, workload_suite_w4, workload_suite_wr};
  const IMP callees[] = {(IMP)workload_w0, (IMP)workload_w2, (IMP)workload_w4, (IMP)workload_wr};
  for (size_t each = 0; each < sizeof suites / sizeof *suites; each += 1) {
    class_addMethod([Callees class], selector_of(suites[each]), callees[each], types_of(suites[each]));
    bool is_right = can_be_reused(suites[each]);
    add(suites[each], "invoke", invoke, is_right);
    add(suites[each], "set", set, is_right);
    peer_add(suites[each], "create", create);
  }
  int status = peer_report("gnustep");
  [pool release];
  return status;
}

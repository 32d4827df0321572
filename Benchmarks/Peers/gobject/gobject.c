// GObject's closures and signals: a C function called with GValues by g_cclosure_marshal_generic.
#include <glib-object.h>

#include "peer.h"

// A handler receives the instance first, which is the callee's target, and the user data last, which the callees
// ignore. GValue cannot store structs by value: WR is omitted, and W4's pair is passed as the 64-bit integer that fills
// the same register.

typedef struct {
  GType result;
  guint count;
  GType parameters[10];  // after the instance; the first is the selector
} signature;

static GType callees_type;
static GObject *target;
static guint signals[3];

static signature signature_of(workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return (signature){G_TYPE_NONE, 1, {G_TYPE_POINTER}};
  case workload_suite_w2: return (signature){G_TYPE_INT64, 3, {G_TYPE_POINTER, G_TYPE_INT64, G_TYPE_INT64}};
  default:
    return (signature){
        G_TYPE_DOUBLE,
        9,
        {G_TYPE_POINTER, G_TYPE_INT, G_TYPE_DOUBLE, G_TYPE_FLOAT, G_TYPE_CHAR, G_TYPE_POINTER, G_TYPE_INT, G_TYPE_INT64,
         G_TYPE_DOUBLE}};
  }
}

static GCallback callee_of(workload_suite suite) {
  switch (suite) {
  case workload_suite_w0: return G_CALLBACK(workload_w0);
  case workload_suite_w2: return G_CALLBACK(workload_w2);
  default: return G_CALLBACK(workload_w4);
  }
}

static gint64 packed_pair(gint32 a, gint32 b) {
  const workload_pair pair = {a, b};
  gint64 word;
  memcpy(&word, &pair, sizeof word);
  return word;
}

// The values of a call: the result, the instance, the parameters.
typedef struct {
  GValue result;
  GValue arguments[10];
  guint count;
} call_values;

static void initialize(call_values *values, workload_suite suite) {
  const signature types = signature_of(suite);
  *values = (call_values){.count = types.count + 1};
  if (types.result != G_TYPE_NONE) g_value_init(&values->result, types.result);
  g_value_init(&values->arguments[0], callees_type);
  g_value_set_object(&values->arguments[0], target);
  for (guint each = 0; each < types.count; each += 1) g_value_init(&values->arguments[each + 1], types.parameters[each]);
}

static void fill(call_values *values, workload_suite suite, size_t index) {
  GValue *arguments = values->arguments;
  switch (suite) {
  case workload_suite_w2:
    g_value_set_int64(&arguments[2], (gint64)index);
    g_value_set_int64(&arguments[3], 2);
    break;
  case workload_suite_w4:
    g_value_set_int(&arguments[2], (gint)index);
    g_value_set_double(&arguments[3], 2);
    g_value_set_float(&arguments[4], 3);
    g_value_set_schar(&arguments[5], 4);
    g_value_set_pointer(&arguments[6], NULL);
    g_value_set_int(&arguments[7], 5);
    g_value_set_int64(&arguments[8], packed_pair(3, 4));
    g_value_set_double(&arguments[9], 6);
    break;
  default: break;
  }
}

static double result_of(const call_values *values, workload_suite suite) {
  switch (suite) {
  case workload_suite_w2: return (double)g_value_get_int64(&values->result);
  case workload_suite_w4: return g_value_get_double(&values->result);
  default: return 0;
  }
}

static void clear(call_values *values) {
  if (G_IS_VALUE(&values->result)) g_value_unset(&values->result);
  for (guint each = 0; each < values->count; each += 1) g_value_unset(&values->arguments[each]);
}

static GClosure *make_closure(workload_suite suite) {
  GClosure *closure = g_cclosure_new(callee_of(suite), NULL, NULL);
  g_closure_ref(closure);
  g_closure_sink(closure);
  g_closure_set_marshal(closure, g_cclosure_marshal_generic);
  return closure;
}

static void call(GClosure *closure, call_values *values) {
  GValue *result = G_IS_VALUE(&values->result) ? &values->result : NULL;
  g_closure_invoke(closure, result, values->count, values->arguments, NULL);
}

// Invokes the closure with values that are set once.
static double invoke(workload_suite suite, size_t count) {
  GClosure *closure = make_closure(suite);
  call_values values;
  initialize(&values, suite);
  fill(&values, suite, count - 1);
  for (size_t index = 0; index < count; index += 1) call(closure, &values);
  const double last = result_of(&values, suite);
  clear(&values);
  g_closure_unref(closure);
  return last;
}

// Emits a signal: GObject itself collects the arguments into values and extracts the result.
static double set(workload_suite suite, size_t count) {
  double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    switch (suite) {
    case workload_suite_w2: {
      gint64 result = 0;
      g_signal_emit(target, signals[suite], 0, NULL, (gint64)index, (gint64)2, &result);
      last = (double)result;
      break;
    }
    case workload_suite_w4: {
      gdouble result = 0;
      g_signal_emit(target, signals[suite], 0, NULL, (gint)index, 2.0, 3.0, 4, NULL, 5, packed_pair(3, 4), 6.0, &result);
      last = result;
      break;
    }
    default: g_signal_emit(target, signals[suite], 0, NULL); break;
    }
  }
  return last;
}

// Creates the closure and the values for each call.
static double create(workload_suite suite, size_t count) {
  double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    GClosure *closure = make_closure(suite);
    call_values values;
    initialize(&values, suite);
    fill(&values, suite, index);
    call(closure, &values);
    last = result_of(&values, suite);
    clear(&values);
    g_closure_unref(closure);
  }
  return last;
}

int main(void) {
  callees_type = g_type_register_static_simple(G_TYPE_OBJECT, "Callees", sizeof(GObjectClass), NULL, sizeof(GObject), NULL, 0);
  target = g_object_new(callees_type, NULL);
  const workload_suite suites[] = {workload_suite_w0, workload_suite_w2, workload_suite_w4};
  static const char *const names[] = {"w0", "w2", "w4"};
  for (size_t each = 0; each < G_N_ELEMENTS(suites); each += 1) {
    const workload_suite suite = suites[each];
    signature types = signature_of(suite);
    signals[suite] = g_signal_newv(
        names[each], callees_type, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, g_cclosure_marshal_generic, types.result, types.count,
        types.parameters);
    g_signal_set_va_marshaller(signals[suite], callees_type, g_cclosure_marshal_generic_va);
    g_signal_connect(target, names[each], callee_of(suite), NULL);
    peer_add(suite, "invoke", invoke);
    peer_add(suite, "set", set);
    peer_add(suite, "create", create);
  }
  const int status = peer_report("gobject");
  g_object_unref(target);
  return status;
}

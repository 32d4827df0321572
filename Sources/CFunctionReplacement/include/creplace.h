#ifndef CREPLACE_H
#define CREPLACE_H

// The async context of a replaced function: its caller's context, the code that continues the caller, and a frame.
#define CREPLACE_PARENT 0
#define CREPLACE_CONTINUATION 8
#define CREPLACE_FRAME 16

// Two words behind the register image of the frame: the call that has its results in the frame, or null, and the async
// function pointer that is called.
#if defined(__aarch64__)
#define CREPLACE_ASYNC_CALL 320
#define CREPLACE_ASYNC_TARGET 328
#define CREPLACE_ASYNC_SIZE 352
#else
#define CREPLACE_ASYNC_CALL 304
#define CREPLACE_ASYNC_TARGET 312
#define CREPLACE_ASYNC_SIZE 336
#endif

#endif

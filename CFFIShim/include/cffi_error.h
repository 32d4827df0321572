#ifndef CFFI_ERROR_H
#define CFFI_ERROR_H

// C has no errors. A method of Swift that can throw is told the place for its error by a variable of the thread, as if that were an argument: the
// caller sets it right before the call, the method takes it first of all. In between nobody else runs on the thread.

/// Sets the place for the error of the method that is called next; NULL for none.
void cffi_set_error_place(void *_Nullable place);

/// Returns the place that the caller has set, and leaves none; NULL when the caller does not know of errors.
void *_Nullable cffi_take_error_place(void);

#endif

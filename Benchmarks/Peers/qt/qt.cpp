// Qt's meta-object system: methods that moc describes, called by name, through QMetaMethod, or by index.
#include <QMetaMethod>
#include <QObject>

#include "peer.h"

Q_DECLARE_METATYPE(workload_pair)
Q_DECLARE_METATYPE(workload_rect)
Q_DECLARE_METATYPE(workload_point)
Q_DECLARE_METATYPE(workload_range)

// moc only calls methods of classes, so each method calls its callee, which takes about a nanosecond.
class Callees : public QObject {
  Q_OBJECT

public:
  Q_INVOKABLE void w0() { workload_w0(this, nullptr); }
  Q_INVOKABLE qlonglong w2(qlonglong a, qlonglong b) { return workload_w2(this, nullptr, a, b); }
  Q_INVOKABLE double w4(int a, double b, float c, signed char d, void *e, short f, workload_pair g, double h) {
    return workload_w4(this, nullptr, a, b, c, d, e, f, g, h);
  }
  Q_INVOKABLE workload_rect wr(workload_rect rect, workload_point point, workload_range range) {
    return workload_wr(this, nullptr, rect, point, range);
  }
};

static Callees target;

// Calls by index, with a filled vector of addresses. The first is the address of the result.
static double invoke(workload_suite suite, size_t count) {
  const QMetaObject *meta = target.metaObject();
  const auto repeat = [&](const char *signature, void **arguments) {
    const int method = meta->indexOfMethod(signature);
    for (size_t index = 0; index < count; index += 1) {
      QMetaObject::metacall(&target, QMetaObject::InvokeMetaMethod, method, arguments);
    }
  };
  switch (suite) {
  case workload_suite_w0: {
    void *arguments[] = {nullptr};
    repeat("w0()", arguments);
    return 0;
  }
  case workload_suite_w2: {
    qlonglong result = 0, a = qlonglong(count - 1), b = 2;
    void *arguments[] = {&result, &a, &b};
    repeat("w2(qlonglong,qlonglong)", arguments);
    return double(result);
  }
  case workload_suite_w4: {
    double result = 0, b = 2, h = 6;
    int a = int(count - 1);
    float c = 3;
    signed char d = 4;
    void *e = nullptr;
    short f = 5;
    workload_pair g = {3, 4};
    void *arguments[] = {&result, &a, &b, &c, &d, &e, &f, &g, &h};
    repeat("w4(int,double,float,signed char,void*,short,workload_pair,double)", arguments);
    return result;
  }
  case workload_suite_wr: {
    workload_rect result = {}, rect = {double(count - 1), 2, 3, 4};
    workload_point point = {1, 2};
    workload_range range = {1, 2};
    void *arguments[] = {&result, &rect, &point, &range};
    repeat("wr(workload_rect,workload_point,workload_range)", arguments);
    return result.x;
  }
  }
  return 0;
}

// Makes one call through `call`, which receives the location of the result and the arguments. Each type is spelled as
// moc spells it (qlonglong, void* without a space). Otherwise Qt normalizes the name on every call, which takes several
// times as long.
template <typename Call> static double call_once(workload_suite suite, size_t index, const Call &call) {
  switch (suite) {
  case workload_suite_w0: call(); return 0;
  case workload_suite_w2: {
    qlonglong result = 0;
    call(Q_RETURN_ARG(qlonglong, result), Q_ARG(qlonglong, qlonglong(index)), Q_ARG(qlonglong, 2));
    return double(result);
  }
  case workload_suite_w4: {
    double result = 0;
    const workload_pair pair = {3, 4};
    call(
        Q_RETURN_ARG(double, result), Q_ARG(int, int(index)), Q_ARG(double, 2), Q_ARG(float, 3), Q_ARG(signed char, 4),
        Q_ARG(void*, nullptr), Q_ARG(short, 5), Q_ARG(workload_pair, pair), Q_ARG(double, 6));
    return result;
  }
  case workload_suite_wr: {
    workload_rect result = {};
    const workload_rect rect = {double(index), 2, 3, 4};
    const workload_point point = {1, 2};
    const workload_range range = {1, 2};
    call(Q_RETURN_ARG(workload_rect, result), Q_ARG(workload_rect, rect), Q_ARG(workload_point, point), Q_ARG(workload_range, range));
    return result.x;
  }
  }
  return 0;
}

static const char *const names[] = {"w0", "w2", "w4", "wr"};

static QMetaMethod method_of(workload_suite suite) {
  const QMetaObject *meta = target.metaObject();
  for (int index = meta->methodOffset(); index < meta->methodCount(); index += 1) {
    if (meta->method(index).name() == names[suite]) return meta->method(index);
  }
  return QMetaMethod();
}

static double set(workload_suite suite, size_t count) {
  const QMetaMethod method = method_of(suite);
  double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    last = call_once(suite, index, [&](auto &&...arguments) { return method.invoke(&target, Qt::DirectConnection, arguments...); });
  }
  return last;
}

static double create(workload_suite suite, size_t count) {
  double last = 0;
  for (size_t index = 0; index < count; index += 1) {
    last = call_once(suite, index, [&](auto &&...arguments) {
      return QMetaObject::invokeMethod(&target, names[suite], Qt::DirectConnection, arguments...);
    });
  }
  return last;
}

int main() {
  for (workload_suite suite : {workload_suite_w0, workload_suite_w2, workload_suite_w4, workload_suite_wr}) {
    peer_add(suite, "invoke", invoke);
    peer_add(suite, "set", set);
    peer_add(suite, "create", create);
  }
  return peer_report("qt6");
}

#include "qt.moc"

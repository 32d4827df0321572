import DynamicInvocation

try Account.addMethods()
let account = Account(balance: 100)
let savings = Account(balance: 0)
let proxy = LoggingProxy(target: account)

print("Messages to the proxy reach the account:")
try Invocation.send(proxy, "deposit(_:)", 50)
try Invocation.send(proxy, "transfer(_:to:)", 30, savings)
do {
  try Invocation.send(proxy, "transfer(_:to:)", 1000, savings)
} catch is Account.Overdrawn {
  print("The sender receives the error.")
}

print("\nA transfer of more than 20 is changed to 20:")
proxy.change = { message in
  guard message.selector == "transfer(_:to:)", try message.argument(at: 2, as: Int.self) > 20 else { return }
  try message.setArgument(20, at: 2)
}
try Invocation.send(proxy, "transfer(_:to:)", 90, savings)

proxy.change = nil

print("\nThe first message again, with another amount, to the proxy:")
let again = proxy.messages[0].copy()
try again.setArgument(5, at: 2)
try again.invoke(with: proxy)

print("\nThe second message again, to another account:")
proxy.target = Account(balance: 40)
try proxy.messages[1].copy().invoke(with: proxy)

print("\nBalances: account \(account.balance), savings \(savings.balance)")

extension Scenario {
  /// What the rules of each preset do, by the statements of the page Behavior.
  static let presets = """
    # The bus downward asks the sender first (E4.1)
    busDown a(b(d e) c)
    on a.k d.k
    a.k: a.k, d.k
    # The bus sends an event with an empty name to nobody (E1.4)
    on *.
    a.: | ignored: the key is empty
    rules busUp
    d.: | ignored: the key is empty

    # A view is asked before its subviews, depth first, and a window is as any view (E4.3, E4.6)
    busDown a!(b(d e) c)
    on *.k
    a.k: a.k, b.k, d.k, e.k, c.k

    # A stop ends the event for the node's handlers, its subtree, or all nodes (E5.6, E5.7)
    busDown a(b(d e) c)
    on a.k c.k d.k e.k b.k=subtree
    a.k: a.k, b.k, c.k | handled by 3 nodes; stopped the subtree
    off b
    on b.k=pass
    a.k: a.k, b.k | handled by 2 nodes; stopped the pass
    off b
    on b.k=node b.k/#second
    a.k: a.k, b.k, d.k, e.k, c.k | handled by 5 nodes; stopped the node

    # The bus upward starts at the sender's next and never asks the sender (E3.3)
    busUp application!(window!(a(b(c))))
    on c.k b.k
    c.k: b.k
    report c.k: b: handled; a: passed
    # The bus upward ends before the first boundary, even if that has handlers (E3.8)
    on application.k window.k a.k
    c.k: a.k | handled by 1 node
    a.k: | unhandled
    application.k: | unhandled
    # A node without a handler for the key is passed, whatever other handlers it has (E5.1)
    on b.other a.k
    c.k: a.k
    # The bus goes past nodes that ignore or handle an event, and ends at a stop (E5.3, E5.5, E5.6, E12.4)
    on b.k=ignored a.k b.stop=pass a.stop b.subtree=subtree a.subtree
    c.k: b.k, a.k | handled by 1 node
    report c.k: b: ignored; a: handled
    c.stop: b.stop | handled by 1 node; stopped the pass
    c.subtree: b.subtree | handled by 1 node; stopped the subtree
    c.nobody: | unhandled

    # The next is the override if there is one, else the parent, as when the override has ended (E3.5, E3.6)
    busUp application!(window!(a(b(c)))) other foreign~
    on a.k other.k foreign.k
    next b other
    c.k: other.k
    next b
    c.k: a.k
    next b other
    drop other
    gone other
    c.k: a.k
    next b foreign
    c.k: foreign.k
    drop foreign
    c.k: a.k

    # A pass down does not look at overrides (E3.7)
    busDown a(b(c)) other
    on other.k c.k
    next b other
    a.k: c.k
    other.k: other.k

    # A circle of overrides asks each node at most once and is an error (E3.9)
    busUp application!(window!(a(b(c))))
    next a c
    on a.k b.k c.k
    c.k: b.k, a.k, c.k | handled by 3 nodes; 1 error: the path comes back to b
    report c.nobody: b: passed; a: passed; c: passed; no handler handled "nobody"; the path comes back to b
    next b b
    report c.k: b: handled

    # A handler may send downward what it got from below, with other data (E2.7)
    busUp window!(vc(v1(v2)))
    on window.up v1.up=ignored vc.down=continue v1.down=continue v2.down=continue
    on vc.up=pass {send vc.down(new) busDown}
    v2.up(123): v1.up(123), vc.up(123), vc.down(new), v1.down(new), v2.down(new)

    # Each handler of a table says for itself whether the event goes on (E5.6, E10.1)
    busUp application!(window!(a(b(c))))
    on b.one=continue b.two=pass a.one a.two a.three
    c.one: b.one, a.one
    c.two: b.two
    c.three: a.three

    # An emit starts at the parent and never asks the sender (E3.3)
    componentEmit page(list(first(inner) second))
    on inner.k first.k
    inner.k: first.k
    # An emit ends at the first node that intercepts, and from a root asks nobody (E3.3, E5.3)
    on first.k=continue list.k page.k
    inner.k: first.k, list.k | handled by 2 nodes; stopped the pass
    page.k: | unhandled

    # A broadcast starts at the children (E4.2)
    componentBroadcast page(list(first(inner) second))
    on list.k second.k
    list.k: second.k
    # A broadcast asks a node before its children, and those in order (E4.3)
    on *.k=continue
    page.k: list.k, first.k, inner.k, second.k
    # A broadcast does not go below a child that intercepts, and its siblings are asked (E5.3, E5.7)
    on *.k
    list.k: first.k, second.k

    # A subscription that does not intercept lets an event pass, up and down (E5.1, E5.4)
    componentEmit page(list(first(inner) second))
    on first.k=continue page.k inner.k
    inner.k: first.k, page.k
    rules componentBroadcast
    page.k: first.k, inner.k
    # An empty name is a name for components (E1.1, E1.3)
    on list.
    inner.: list. | handled by 1 node; stopped the pass
    rules componentBroadcast
    page.: list. | handled by 1 node; stopped the subtree

    # An event has no data, null, or one value (E2.4)
    componentEmit page(list)
    on page.k
    list.k: page.k
    list.k(null): page.k(null)

    # A subscription made inside an action waits for the next event (E7.4)
    componentBroadcast page(list(first(inner) second))
    on first.k=continue {on inner.k second.k first.later}
    page.k: first.k
    page.k: first.k, inner.k, second.k
    rules router
    on inner.up=continue {on list.up}
    inner.up: inner.up

    # An event stays in its tree (E2.9)
    componentBroadcast page(list(first(inner) second)) other(below)
    on other.k below.k
    page.k: | unhandled
    rules componentEmit
    inner.k: | unhandled

    # The router asks the sender first (E3.2)
    router controller^(table(tableCell(collectionCell)))
    on tableCell.B controller.B
    tableCell.B: tableCell.B

    # A controller ends the events that it handles, and passes others to the outer controller (E5.8)
    router outer^(inner^(view))
    on outer.D outer.E inner.E=continue
    view.D: outer.D | handled by 1 node; stopped the pass
    view.E: inner.E | handled by 1 node

    # A controller hides the outer one's keys when the rules or its terminality say so (E5.9, E5.10)
    router outer(inner^(view))
    on outer.D
    rules router endsAtTerminal
    view.D: | unhandled
    rules router
    mark inner always
    view.D: | unhandled
    report view.D: view: passed; inner: passed; no handler handled "D"; registered on outer, which this pass did not ask or which ignored it
    mark inner passing
    rules router endsAtTerminal
    view.D: outer.D

    # A node intercepts exactly the keys that it has handlers for (E5.1)
    router controller^(table(tableCell(collectionCell)))
    on controller.A controller.B
    collectionCell.A: controller.A
    on tableCell.B
    collectionCell.A: controller.A
    collectionCell.B: tableCell.B
    # A middle node may handle an event and pass it on, or end it (E5.3, E5.4)
    on tableCell.A=continue tableCell.B controller.A controller.B
    collectionCell.A: tableCell.A, controller.A | handled by 2 nodes; stopped the pass
    collectionCell.B: tableCell.B | handled by 1 node; stopped the pass
    # A middle node may send an event on under another key with other arguments (E6.1, E6.2)
    on tableCell.B=resend:C+more tableCell.C table.B controller.B controller.C controller.A
    collectionCell.B(1): tableCell.B(1), controller.C(1,more) | handled by 1 node; stopped the pass; sent on as 'C'
    report collectionCell.B: collectionCell: passed; tableCell: sent on as C("more"); [C] table: passed; [C] controller: handled, stopped the pass
    collectionCell.A: controller.A
    # An event that nobody handles is no error (E12.1)
    on controller.save
    collectionCell.Save: | unhandled

    # An event without a handler passes to the next, up to the root (E3.1)
    strategy controller(view(button) sibling)
    on controller.k
    button.k: controller.k | handled by 1 node; stopped the pass
    button.nobody: | unhandled
    # The router with strategies asks the sender first (E3.2)
    on button.k controller.k
    button.k: button.k
    # With strategies, a node that handles an event ends it unless the handler says otherwise (E5.3, E5.4)
    on view.one view.two=continue controller.one controller.two
    button.one: view.one
    button.two: view.two, controller.two
    # An unknown key passes a node that has other handlers, unless the rules end it there (E5.1, E5.2)
    on view.other controller.k
    button.k: controller.k
    mark view always
    button.k: | unhandled
    mark view passing
    rules strategy endsAtProxy
    button.k: | unhandled
    # With endsAtTerminal, an event ends at a terminal node whose handlers ignore it (E5.10)
    on view.k=ignored controller.k
    button.k: view.k, controller.k
    rules strategy endsAtTerminal
    mark view own
    button.k: view.k
    mark view always
    button.k: view.k
    # A middle node may send an event on with more data under the same key (E6.2, E6.4)
    on view.k=resend:k+b controller.k
    button.k(a): view.k(a), controller.k(a,b) | handled by 1 node; stopped the pass; sent on as 'k'
    # Only nodes from the sender to the root are asked (E3.4)
    on sibling.k controller.k
    button.k: controller.k

    # A terminality ends passes up, whatever a handler says, and no passes down (E4.6, E5.8, E5.9)
    busUp top(middle^(low))
    rules busUp passesBoundary
    on middle.k middle.l=continue top.k top.l low.k
    low.k: middle.k
    low.l: middle.l
    rules busDown
    top.k: top.k, middle.k, low.k
    off middle
    on middle.k=ignored
    rules busUp passesBoundary
    low.k: middle.k, top.k
    mark middle always
    low.k: middle.k
    """
}

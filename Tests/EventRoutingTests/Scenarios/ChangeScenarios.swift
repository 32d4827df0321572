extension Scenario {
  /// What handlers do to the tree and to other handlers while an event is on its way; many were found by random scripts.
  static let changes = """
    # A handler added on the way waits for the next event, at a node that has one already too (E7.4)
    busUp root(middle(leaf(below)))
    on root.k
    on leaf.k {on root.k/#added}
    below.k: leaf.k, root.k
    below.k: leaf.k, root.k, root.k#added
    rules busDown
    on leaf.l
    on root.l {on leaf.l/#added}
    root.l: root.l, leaf.l
    root.l: root.l, leaf.l, leaf.l#added

    # A node that leaves the tree and then resends reaches none below it (E7.3)
    busDown top(middle(low))
    on low.next
    on middle.k=resend:next {remove middle}
    top.k: middle.k | unhandled; sent on as 'next'
    # A node to which no way up leads, and that resends the event, reaches those below it (E7.3)
    only foreign
    cut middle
    cut low
    on middle.k=resend:next low.next
    top.k: middle.k, low.next | handled by 1 node; sent on as 'next'

    # A handler that is added before a resend is called below it, and not by the rest of the event (E7.4)
    busDown root(middle(leaf) last)
    on leaf.next=continue last.k
    on middle.k=resend:next {on leaf.next/#below last.k/#added}
    root.k: middle.k, leaf.next, leaf.next#below, last.k

    # A handler that replaces another on the way waits for the next event (E7.4)
    router root(middle(leaf))
    on root.k/#former
    on leaf.k=continue {off root.k; on root.k/#new}
    report leaf.k: leaf: handled; middle: passed; root: passed | leaf.k
    leaf.k: leaf.k, root.k#new
    # A handler that replaces another on the way is called by a resend (E7.4)
    on root.k/#former
    on leaf.k=resend:k {off root.k; on root.k/#new}
    report leaf.k: leaf: sent on as k(); middle: passed; root: handled, stopped the pass | leaf.k, root.k#new

    # A node taken out on the way is skipped, the last before a boundary and a terminal one too (E7.2)
    strategy root!(middle(leaf)) top(end^^(sender))
    rules strategy endsBeforeBoundary
    on middle.k end.k
    on leaf.k=continue {remove middle}
    on sender.k=continue {remove end}
    report leaf.k: leaf: handled; middle: removed before its turn | leaf.k
    report sender.k: sender: handled; end: removed before its turn | sender.k

    # With endsAtTerminal, a terminal node ends below it what it does not handle (E5.10)
    busDown root(middle^(leaf) beside)
    rules busDown endsAtTerminal
    on leaf.k
    root.k: | unhandled
    on middle.k=ignored beside.k
    root.k: middle.k, beside.k

    # The error of a circle names the node to which the last one leads back (E3.9)
    router 4(3(2(1(0))))
    next 4 2
    report 0.k: 0: passed; 1: passed; 2: passed; 3: passed; 4: passed; no handler handled "k"; the path comes back to 2
    0.k: | unhandled; 1 error: the path comes back to 2
    on 3.k=continue
    0.k: 3.k | handled by 1 node; 1 error: the path comes back to 2

    # A node passed before the first handler is not passed again in a circle (E3.9)
    router root(middle(leaf))
    next root leaf
    on middle.k=continue
    report leaf.k: leaf: passed; middle: handled; root: passed
    leaf.k: middle.k | handled by 1 node; 1 error: the path comes back to leaf
    on leaf.other
    on root.k=resend:other
    leaf.k: middle.k, root.k | handled by 1 node; sent on as 'other'; 1 error: the path comes back to leaf

    # A node that another lists as its child is asked below one that sends the event on
    busDown cell(guest(low))
    only foreign
    cut guest
    on guest.k=resend:l low.l
    report cell.k: cell: passed; guest: sent on as l(); [l] low: handled | guest.k, low.l

    # A pass goes from nodes of one kind to nodes of another and back
    router top view~ node(leaf)
    next node view
    next view top
    on top.k view.k=continue leaf.k=continue
    leaf.k: leaf.k, view.k, top.k | handled by 3 nodes; stopped the pass
    report leaf.k: leaf: handled; node: passed; view: handled; top: handled, stopped the pass
    rules componentEmit
    node.k: view.k, top.k | handled by 2 nodes; stopped the pass
    next top view
    leaf.nobody: | unhandled; 1 error: the path comes back to view

    # Nodes that move do not change a pass that is on its way (E7.1)
    busUp window!(a(b(c))) elsewhere
    on elsewhere.k a.k
    on b.k {move b elsewhere}
    c.k: b.k, a.k
    c.k: b.k, elsewhere.k

    # Nodes removed from the way of a broadcast are skipped with all below them, and new ones are not asked (E7.1, E7.3)
    componentBroadcast page(list(first(inner) second(below)))
    on second.k inner.k below.k
    on first.k=continue {remove second; tree new newer; move new first; share new second; move newer list}
    report page.k: list: passed; first: handled; inner: handled, stopped the subtree; second: removed before its turn; below: removed before its turn | first.k, inner.k

    # Nodes removed from the way of an emit are skipped, and those beyond them are asked (E7.2)
    componentEmit page(list(first(inner)))
    on list.k page.k
    on first.k=continue {remove list}
    inner.k: first.k, page.k | handled by 2 nodes; stopped the pass

    # A node that the root's handler removes is skipped with all below it (E7.3)
    busDown root(middle(leaf))
    on middle.k leaf.k
    on root.k=continue {remove middle}
    report root.k: root: handled; middle: removed before its turn; leaf: removed before its turn | root.k

    # A handler may remove itself, and its parent's handler, which is not called then (E7.5)
    router root(middle(leaf))
    on middle.k root.k
    on leaf.k/#leaf=continue {cancel #leaf; off middle.k}
    report leaf.k: leaf: handled; middle: passed; root: handled, stopped the pass | leaf.k#leaf, root.k
    leaf.k: root.k

    # A broadcast survives the death of everything below
    componentBroadcast root(a(x) b(y) c)
    on x.k=continue b.k=continue y.k=continue c.k=continue
    on a.k=continue {remove a; drop a; remove b; drop b; remove c; drop c; gone c}
    root.k: a.k | handled by 1 node
    root.k: | unhandled

    # A sender may die of its own event
    router root(leaf)
    on root.k
    on leaf.k=continue {remove leaf; drop leaf}
    leaf.k: leaf.k, root.k | handled by 2 nodes; stopped the pass
    gone leaf

    # Upward, a node that a handler lets go before its turn is not called, and the way goes on (E7.6)
    router leaf first second third
    next leaf first
    next first second
    next second third
    on second.k=continue third.k
    on first.k=continue {drop second; gone second}
    leaf.k: first.k, third.k | handled by 2 nodes; stopped the pass

    # Upward, a node that only its parent lists is not called either, and stands in the report as removed (E7.6)
    busUp third(second(first(leaf)))
    only foreign
    on second.k third.k
    on first.k=continue {hide second third; drop second; gone second}
    report leaf.k: first: handled; a dead node: removed before its turn; third: handled | first.k, third.k

    # A node that dies on the way is skipped (E7.6)
    router root(dying(leaf))
    on root.k dying.k
    on leaf.k=continue {remove dying; drop dying; gone dying}
    report leaf.k: leaf: handled; a dead node: removed before its turn; root: handled, stopped the pass | leaf.k, root.k

    # Downward, a node that a handler lets go before its turn is not called, listed as a child or not (E7.6)
    busDown root(first second third)
    only foreign
    cut second
    on second.k third.k
    on first.k {hide second root; drop second; gone second}
    report root.k: root: passed; first: handled; a dead node: removed before its turn; third: handled | first.k, third.k

    # A node that dies of its own handler, which sends the event on, has nothing below any more
    busDown root(middle(leaf))
    on leaf.l
    on middle.k=resend:l {remove middle; drop middle}
    root.k: middle.k | unhandled; sent on as 'l'
    gone middle

    # The error of a loop names no node that has died
    router leaf first second
    next leaf first
    next first second
    on first.B=resend:C
    on second.C=resend:B {drop first}
    leaf.B: first.B, second.C | unhandled; sent on as 'B'; 1 error: the event was sent on in a loop: B → C at second → B

    # A handler that throws ends nothing, and its error is in the outcome (E10.5)
    router root(middle(leaf))
    on leaf.k=throw:1 middle.k=throw:2 root.k
    leaf.k: leaf.k, middle.k, root.k | handled by 1 node; stopped the pass; 2 errors, the first: Failure(text: "1")
    report leaf.k: leaf: failed; errors: Failure(text: "1"); middle: failed; errors: Failure(text: "2"); root: handled, stopped the pass
    off root.k
    leaf.k: leaf.k, middle.k | unhandled; 2 errors, the first: Failure(text: "1")

    # A child does not keep its parent, and outlives it as a root: the warning speaks of it until it is removed or adopted (E11.7)
    router parent(child(low)) other
    only nodes
    report low.k: low: passed; child: passed; parent: passed; no handler handled "k"
    drop parent
    gone parent
    report low.k: low: passed; child: passed; no handler handled "k"; the parent of child has ended, as a child does not keep its parent
    move child other
    report low.k: low: passed; child: passed; other: passed; no handler handled "k"
    remove child
    report low.k: low: passed; child: passed; no handler handled "k"

    # A handler may take the proxy from its node, and the node from its tree
    router root(middle(leaf)) other
    on root.k
    on middle.k=continue {share middle other; remove middle; drop middle}
    leaf.k: middle.k, root.k | handled by 2 nodes; stopped the pass
    gone middle
    """
}

extension Scenario {
  /// Capture phases, handlers that see stopped events, handlers of one direction, and asynchronous ones.
  static let phases = """
    # The capture phase goes from the root to the sender, and then the pass goes up (E15.1)
    strategy root(middle(leaf))
    rules strategy capture
    on *.k/capture=continue
    on *.k=continue
    leaf.k: root.k capture, middle.k capture, leaf.k capture, leaf.k, middle.k, root.k | handled by 6 nodes
    rules strategy capture fromNext
    leaf.k: root.k capture, middle.k capture, middle.k, root.k
    # Handlers of the capture phase are called by no other pass, and other handlers not in that phase (E15.2)
    on *.k/capture=continue
    on middle.k=continue
    leaf.k: middle.k
    rules busDown
    root.k: middle.k
    rules strategy capture
    leaf.k: root.k capture, middle.k capture, leaf.k capture, middle.k
    rules busDown capture
    root.k: middle.k

    # A stop in the capture phase ends the pass, a terminality does not end the phase (E15.3)
    strategy root(middle^(leaf))
    rules strategy capture
    on root.k/capture=continue middle.k/capture=continue leaf.k/up=continue
    leaf.k: root.k capture, middle.k capture, leaf.k up
    on middle.k/capture/#stops=pass
    leaf.k: root.k capture, middle.k capture, middle.k#stops capture | handled by 2 nodes; stopped the pass
    // Beyond a node that no event passes there is no phase either.
    mark middle always
    leaf.k: middle.k capture, middle.k#stops capture

    # A resend in the capture phase goes on to the sender, and then up, under the new key (E15.4)
    strategy root(middle(leaf))
    rules strategy capture
    on middle.k/capture=resend:l+2
    on *.k=continue
    on *.l/capture=continue
    on *.l=continue
    leaf.k(1): middle.k(1) capture, leaf.l(1,2) capture, leaf.l(1,2), middle.l(1,2), root.l(1,2) | handled by 4 nodes; sent on as 'l'
    off middle.k
    on root.loop/capture=resend:k leaf.loop/capture=resend:k leaf.k/capture=resend:loop
    leaf.loop: root.loop capture, leaf.k capture | unhandled; sent on as 'loop'; 1 error: the event was sent on in a loop: loop at root → k at leaf → loop
    # After a resend in the capture phase the pass up visits the nodes that have handlers for the new key (E15.4)
    rules strategy capture
    on leaf.k=continue root.k/capture=resend:l middle.l=continue
    leaf.k: root.k capture, middle.l | handled by 1 node; sent on as 'l'
    # A node taken out in the capture phase is skipped in both phases (E7.2)
    rules strategy capture
    on root.k/capture/#first=continue {remove middle}
    on *.k/capture=continue
    on *.k=continue
    leaf.k: root.k#first capture, root.k capture, leaf.k capture, leaf.k, root.k

    # A handler that is registered in the capture phase receives the event, once it was resent under the same key (E7.4, E18.1)
    strategy root
    rules strategy capture
    on root.k/capture=resend:k {on root.k/up}
    root.k: root.k capture, root.k up | handled by 1 node; stopped the pass; sent on as 'k'

    # Handlers that see stopped events are called after a stop, at the node and beyond, and change nothing (E15.5)
    strategy root(middle(leaf))
    on leaf.k=pass leaf.k/#next=continue leaf.k/sees/#sees=resend:l middle.k=continue root.k/sees=continue
    leaf.k: leaf.k, leaf.k#sees stopped, root.k stopped | handled by 1 node; stopped the pass
    report leaf.k: leaf: handled, stopped the pass; root: observed after the stop
    // A terminality ends it, as it ends an event that nobody handles.
    mark middle always
    leaf.k: leaf.k, leaf.k#sees stopped
    on middle.k/sees/#sees=continue
    mark middle own
    leaf.k: leaf.k, leaf.k#sees stopped, middle.k#sees stopped, root.k stopped
    rules strategy endsAtTerminal
    leaf.k: leaf.k, leaf.k#sees stopped, middle.k#sees stopped

    # After a stop a node ends the pass up if it ends what its handlers ignore, also when the handlers are awaited (E15.5)
    strategy root(middle^(leaf))
    only awaited
    on leaf.k/async=pass middle.k/sees/async=continue root.k/sees/async=continue
    leaf.k: leaf.k, middle.k stopped, root.k stopped
    rules strategy endsAtTerminal
    leaf.k: leaf.k, middle.k stopped

    # In a pass down they are called below a node that stopped, or everywhere after the pass was stopped (E15.5)
    busDown root(middle(leaf) sibling last other)
    on middle.k=subtree leaf.k/down/sees=continue sibling.k=pass last.k/sees=continue other.k=continue
    root.k: middle.k, leaf.k down stopped, sibling.k, last.k stopped
    report root.k: root: passed; middle: handled, stopped the subtree; leaf: observed after the stop; sibling: handled, stopped the pass; last: observed after the stop

    # One name may be sent up, and from there down again to other handlers (E2.7, E8.13)
    busUp root(middle(leaf))
    on root.ev/up=pass {send root.ev busDown}
    on root.ev/down=continue middle.ev/down=continue leaf.ev/down=continue
    direct leaf.ev: root.ev up, root.ev down, middle.ev down, leaf.ev down

    # A handler may send its own key, and that event is delivered first (E2.7)
    router root(leaf)
    on leaf.k=continue {send leaf.k}
    on root.k/#root=continue
    leaf.k: leaf.k, leaf.k, root.k#root, root.k#root | handled by 2 nodes

    # Nodes that listen the other way are passed, not led to, and not ended at (E8.13)
    router root(middle^(leaf))
    on middle.k/up leaf.k/down
    same leaf.k: leaf: passed; middle: handled, stopped the pass
    rules busDown
    same root.k: root: passed; middle: passed; leaf: handled
    root.k: leaf.k down
    on leaf.only/up
    nodes report root.only: root: passed; no handler handled "only"; registered on leaf, which this pass did not ask or which ignored it; on leaf only for events of another direction or phase
    foreign report root.only: root: passed; middle: passed; leaf: passed; no handler handled "only"; registered on leaf, which this pass did not ask or which ignored it; on leaf only for events of another direction or phase
    rules router
    leaf.k: middle.k up

    # A pass that ends below a node that resent the event leaves nothing to the next pass (E18.1)
    busDown root(middle(leaf) other)
    only awaited
    on middle.old/async=resend:new leaf.new/async=pass other.old/async=continue
    root.old: middle.old, leaf.new | handled by 1 node; stopped the pass; sent on as 'new'
    other.old: other.old | handled by 1 node
    root.old: middle.old, leaf.new | handled by 1 node; stopped the pass; sent on as 'new'
    other.old: other.old | handled by 1 node
    # A handler that is registered below a node that resent the event waits for the next event beside it, too (E7.4)
    only awaited
    on middle.old/async=resend:new other.old/async=continue
    on leaf.new/async=continue {on other.old/#early}
    root.old: middle.old, leaf.new, other.old

    # A handler that is registered while another is suspended is not called, one that is removed neither (E18.5)
    router root(middle(leaf))
    only awaited
    on root.k/async/#removed=continue root.k/async/#kept=continue
    on leaf.k/suspended=continue {on leaf.k/async/#new root.k/async/#late; cancel #removed}
    report leaf.k: leaf: handled, asynchronous; middle: passed; root: handled, asynchronous | leaf.k, root.k#kept
    # A handler that replaces the only one of a node meanwhile is not called (E18.5)
    only awaited
    on root.k/async/#former=continue
    on leaf.k/suspended=continue {cancel #former; on root.k/async/#new=continue}
    leaf.k: leaf.k | handled by 1 node
    # A token that ends meanwhile ends its handlers (E18.5)
    only awaited
    on root.k/async/#ended=continue
    token #ended T
    on leaf.k/suspended=continue {end T}
    leaf.k: leaf.k | handled by 1 node
    # The handler that is suspended may be removed, and ends (E18.5)
    only awaited
    on leaf.k/suspended=continue {off leaf}
    leaf.k: leaf.k | handled by 1 node
    leaf.k: | unhandled
    # Nodes that are detached meanwhile are skipped (E18.5)
    only awaited
    on middle.k/async=continue root.k/async=continue
    on leaf.k/suspended=continue {remove middle}
    report leaf.k: leaf: handled, asynchronous; middle: removed before its turn; root: handled, asynchronous | leaf.k, root.k

    # The path of a pass is kept while a handler is suspended, and no node of it (E18.5)
    router top(root(middle(leaf)))
    only awaited
    on top.k/async=continue
    on leaf.k/suspended=continue {drop top; gone top}
    report leaf.k: leaf: handled, asynchronous; middle: passed; root: removed before its turn; a dead node: removed before its turn | leaf.k

    # A handler that runs once is not called by another event while it is suspended (E18.5)
    router root(middle(leaf))
    only awaited
    on root.k/once/suspended {send leaf.k}
    leaf.k: root.k | handled by 1 node; stopped the pass
    leaf.k: | unhandled
    # Other events are delivered while a handler is suspended (E18.5)
    only awaited
    on root.other
    on leaf.k/suspended=continue {send leaf.other}
    leaf.k: leaf.k, root.other | handled by 1 node
    """
}

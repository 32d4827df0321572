extension Scenario {
  /// Events that handlers send on, and rewrites that they declared.
  static let resends = """
    # An event that comes back to a key that it left is an error with keys and nodes (E6.5)
    router root(b(a))
    on a.B=resend:C b.C=resend:B root.B
    a.B: a.B, b.C | unhandled; sent on as 'B'; 1 error: the event was sent on in a loop: B at a → C at b → B

    # What is sent on beyond the last node is unhandled (E6.6)
    router root
    on root.B=resend:C
    root.B: root.B | unhandled; sent on as 'C'
    report root.B: root: sent on as C(); no handler handled "C"

    # Downward, a new key holds below the node only (E6.3)
    busDown a(b(d(e)) c)
    on b.old=resend:new a.old c.old d.old e.old a.new c.new d.new e.new
    a.old: a.old, b.old, d.new, e.new, c.old | handled by 4 nodes; sent on as 'new'

    # Downward, a stop of the pass below a node that sends on ends it all
    busDown a(b(d) c)
    on b.old=resend:new d.new=pass c.old
    a.old: b.old, d.new

    # Downward, a loop of keys ends its branch only (E6.5)
    busDown a(b(d(below) e) c)
    on b.B=resend:C d.C=resend:B below.C e.C c.B
    a.B: b.B, d.C, e.C, c.B | handled by 2 nodes; sent on as 'B'; 1 error: the event was sent on in a loop: B at b → C at d → B

    # Downward, a node that its handler deallocates leaves no step of a later loop (E6.5, E7.6)
    busDown a(dying b(d))
    on dying.B=resend:C {remove dying; drop dying}
    on b.B=resend:C d.C=resend:B
    a.B: dying.B, b.B, d.C | unhandled; sent on as 'B'; 1 error: the event was sent on in a loop: B at b → C at d → B
    gone dying

    # Downward, a node that moves below one that sends on is asked once
    busDown a(before b after)
    on before.old=continue before.new=continue after.old=continue after.new=continue
    on b.old=resend:new {move before b; move after b}
    a.old: before.old, b.old, after.new

    # Arguments may change under the same key (E6.4)
    router root(middle(leaf))
    on leaf.k=resend:k+1 middle.k=resend:k+2 root.k
    leaf.k: leaf.k, middle.k(1), root.k(1,2) | handled by 1 node; stopped the pass; sent on as 'k'

    # A resend of a pass up looks for handlers along the same path (E7.1)
    strategy page(row) root
    on root.B
    on row.A=resend:B {move page root; on page.B=continue}
    row.A: row.A, page.B | handled by 1 node; sent on as 'B'
    row.B: page.B, root.B

    # A resend of a pass down looks for nodes again below its node (E7.1)
    busDown top(middle) beside low
    on beside.A low.A beside.B low.B
    on middle.A=resend:B {move low middle; move beside top}
    top.A: middle.A, low.B | handled by 1 node; sent on as 'B'
    """
}

extension Scenario {
  /// The handlers of a node: their order, those that are registered and removed while an event runs, prefixes, and rewrites.
  static let handlers = """
    # Each handler is called once, by priority and then in the order of registration (E8.10)
    strategy n
    on n.e/#1=continue n.e/#2/p5=continue n.e/#3=continue n.e/#4/p-1=continue n.e/#5/p5=continue n.e/#6=continue
    n.e: n.e#2, n.e#5, n.e#1, n.e#3, n.e#6, n.e#4
    proxy n.e: 6 handlers called: handledAndContinue | n.e#2, n.e#5, n.e#1, n.e#3, n.e#6, n.e#4
    # A handler that removes itself keeps no other from being called (E7.5)
    on n.x/#0=continue {cancel #0}
    on n.x/#1=continue n.x/#2=continue n.y/#3=continue
    on n.y/#4/typed=continue {cancel #4}
    on n.y/#5=continue n.z/#6=continue n.z/#7=continue
    on n.z/#8=continue {cancel #8}
    n.x: n.x#0, n.x#1, n.x#2
    n.x: n.x#1, n.x#2
    n.y: n.y#3, n.y#5, n.y#4
    n.y: n.y#3, n.y#5
    n.z: n.z#6, n.z#7, n.z#8
    n.z: n.z#6, n.z#7
    # The only handler of a key may remove itself, and its reply still counts
    on n.x/#x {cancel #x}
    on n.y/#y/typed=pass {cancel #y}
    on n.z/#z/quiet=ignored {cancel #z}
    proxy n.x: 1 handler called: handled | n.x#x
    n.y: n.y#y | handled by 1 node; stopped the pass
    n.z: n.z#z | unhandled
    state n: EventProxy(0 keys, 0 handlers)
    # A handler removed while the event is running is not called any more; the handlers behind it are (E7.5)
    on n.e/#0=continue
    on n.e/#1=continue {cancel #0; cancel #1; cancel #2; cancel #3}
    on n.e/#2=continue n.e/#3=continue n.e/#4=continue
    n.e: n.e#0, n.e#1, n.e#4
    n.e: n.e#4
    # A handler registered while the event is running is called from the next one on (E7.4)
    on n.e/p1/#1=continue {on n.e/p2/#2=continue n.e/#3=continue n.e/p-1/#4=continue}
    on n.e/#5=continue
    n.e: n.e#1, n.e#5
    n.e: n.e#2, n.e#1, n.e#5, n.e#3, n.e#4
    # A handler for once that throws is used up (E8.14)
    on n.e/once=throw:x
    n.e: n.e | unhandled; 1 error: Failure(text: "x")
    n.e: | unhandled
    # A token that a handler cancels during an event ends the others, which are not called any more (E16.1, E7.5)
    on n.a/#1=continue {end T}
    on n.a/#2=continue n.a/#3=continue
    token #1 T
    token #2 T
    n.a: n.a#1, n.a#3
    state n: EventProxy(1 key, 1 handler) #3
    # A handler removes what its owner registered while the event runs, its own handler too (E11.8)
    on n.a/#0=continue
    on n.a/#1=continue {disown n O}
    on n.a/#2=continue n.a/#3=continue
    own #1 O
    own #2 O
    n.a: n.a#0, n.a#1, n.a#3
    state n: EventProxy(1 key, 2 handlers) #0 #3

    # A node follows the directions of its handlers as they come and go
    strategy root(leaf)
    on leaf.k/up/#1 leaf.k/down/#2 leaf.k/down/#3
    leaf.k: leaf.k#1 up
    rules busDown
    root.k: leaf.k#2 down, leaf.k#3 down
    cancel #3
    root.k: leaf.k#2 down
    cancel #1
    root.k: leaf.k#2 down
    rules strategy
    leaf.k: | unhandled
    // It is a node without a handler for passes up, not one whose handlers ignored the event.
    report leaf.k: leaf: passed; root: passed; no handler handled "k"; registered on leaf, which this pass did not ask or which ignored it; on leaf only for events of another direction or phase
    cancel #2
    on leaf.k/up/#4
    leaf.k: leaf.k#4 up
    rules busDown
    root.k: | unhandled
    # A node that has lost its handlers of a direction has none for such events, which proxies may end
    rules strategy endsAtProxy
    on root.k leaf.k/up/#up=ignored leaf.k/down
    leaf.k: leaf.k#up up, root.k
    cancel #up
    leaf.k: | unhandled

    # An interceptor of a prefix receives the events whose keys begin with it, composed or not, and no others (E21.1)
    strategy n
    on n.*/#1=ignored n.cart.*/#2=ignored n.cart.total*/#3=ignored n.é*/#4=ignored
    n.cart.total(1,2): n.cart.total#1(1,2), n.cart.total#2(1,2), n.cart.total#3(1,2)
    n.cart(1): n.cart#1(1)
    n.: n.#1
    n.e\u{301}: n.e\u{301}#1, n.e\u{301}#4
    n.\u{e9}t\u{e9}: n.\u{e9}t\u{e9}#1, n.\u{e9}t\u{e9}#4
    state n: EventProxy(0 keys, 4 handlers) #1 #2 #3 #4
    # It is one of the key's interceptors, in the order of priority and registration, before and after the others (E21.2)
    on n.e/typed/#handler=continue n.*/#first=continue n.e/#literal=continue n.e*/#second=continue n.*/p1/#high=continue n.other=continue
    n.e: n.e#high, n.e#first, n.e#literal, n.e#second, n.e#handler
    n.other: n.other#high, n.other#first, n.other
    state n: EventProxy(2 keys, 6 handlers) #first #handler #high #literal #second

    # It changes, stops, handles and resends events, and what it throws is an error of the event (E21.1)
    router root(leaf)
    on root.total root.bad.total leaf.old.*=resend:total leaf.closed.*=pass leaf.bad.*=throw:x
    leaf.old.total(3): leaf.old.total(3), root.total(3) | handled by 1 node; stopped the pass; sent on as 'total'
    leaf.closed.total(4): leaf.closed.total(4) | handled by 1 node; stopped the pass
    leaf.bad.total(5): leaf.bad.total(5), root.bad.total(5) | handled by 1 node; stopped the pass; 1 error: Failure(text: "x")
    on root.*
    leaf.unknown: root.unknown | handled by 1 node; stopped the pass

    # It ends for all keys, by its registration, a token, an owner or after one event, and is blocked for all (E21.3)
    strategy n
    on n.*/#1=ignored n.*/#2=ignored n.*/#3=ignored n.*/#4/once=ignored
    token #2 T
    own #3 O
    n.a: n.a#1, n.a#2, n.a#3, n.a#4
    n.b: n.b#1, n.b#2, n.b#3
    block #1
    n.a: n.a#2, n.a#3
    n.c: n.c#2, n.c#3
    unblock n.a
    end T
    n.a: n.a#1, n.a#3
    n.d: n.d#1, n.d#3
    disown n O
    n.a: n.a#1
    n.e: n.e#1
    off n.a
    n.a: n.a#1
    n.f: n.f#1
    // What ends it for one key ends it.
    cancel n.a
    n.a: | unhandled
    n.g: | unhandled
    state n: EventProxy(0 keys, 0 handlers)
    on n.*/#5=ignored n.*/#6=ignored
    own #5 D
    kill D
    n.a: n.a#6
    n.h: n.h#6
    sweep n
    state n: EventProxy(0 keys, 1 handler) #6
    off n
    n.a: | unhandled

    # One that is added or removed during an event acts from the next event on, and at once (E21.3)
    strategy root
    on root.*/#first=ignored {on root.*/#second=ignored; send root.inner}
    root.outer: root.outer#first, root.inner#first, root.inner#second
    root.outer: root.outer#first, root.outer#second
    on root.end/p1=continue {cancel #second}
    root.end: root.end, root.end#first
    root.outer: root.outer#first

    # A node learns keys from events, also after its proxy was shared, replaced or moved in the tree (E21.1)
    busDown root(left(leaf) right)
    on leaf.*/#s=continue
    root.x: leaf.x#s
    share right leaf
    root.y: leaf.y#s, leaf.y#s
    remove leaf
    root.z: leaf.z#s
    move leaf right
    root.z: leaf.z#s, leaf.z#s
    rules strategy continues
    leaf.z: leaf.z#s, leaf.z#s
    share right left
    rules busDown
    root.z: leaf.z#s
    cancel #s
    root.z: | unhandled
    root.new: | unhandled

    # A dry run follows a declared rewrite, and equals the report of a send that does so (E12.5, E12.6)
    router controller(table(cell))
    on table.B/to:C=resend:C controller.C
    same cell.B: cell: passed; table: sent on as C(); [C] controller: handled, stopped the pass

    # Downward too, below the node only, and a loop of declared keys is found without a call (E12.6)
    busDown controller(table(cell) beside)
    on table.B/to:C=resend:C cell.C/to:B=resend:B beside.B
    same controller.B: controller: passed; table: sent on as C(); [C] cell: sent on as B(); beside: handled
    controller.B: table.B, cell.C, beside.B | handled by 1 node; sent on as 'B'; 1 error: the event was sent on in a loop: B at table → C at cell → B

    # A reply in the options counts as declared: closures without a result (E12.6)
    router controller(table(cell))
    on cell.B/quiet=continue table.B/quiet=ignored controller.B/quiet=node
    same cell.B: cell: handled; table: ignored; controller: handled, stopped the node
    # A send that does otherwise than declared goes its way, and the report tells it (E12.6)
    on table.B/to:C=resend:D controller.C controller.D
    report cell.B: cell: passed; table: sent on as D(); a handler sent the event on as D, not as C, as declared; [D] controller: handled, stopped the pass
    off table
    on table.B/to:C
    report cell.B: cell: passed; table: handled, stopped the pass; a handler did not send the event on as C, as declared
    # A handler that was not called has not done otherwise, nor has one that failed (E12.6)
    on table.B/p1=node table.B/to:C
    report cell.B: cell: passed; table: handled, stopped the node; controller: passed
    off table
    on table.B/to:C=throw:x
    report cell.B: cell: passed; table: failed; errors: Failure(text: "x"); controller: passed; no handler handled "B"; a handler threw Failure(text: "x"); registered on table

    # A dry run follows the capture phase and the handlers of stopped events (E12.5)
    strategy root(middle(leaf))
    rules strategy capture
    on *.k/capture/quiet=continue
    on *.k/up/quiet=continue
    on middle.k/up/quiet/#2 root.k/sees/quiet/#2
    same leaf.k: root, capture: handled; middle, capture: handled; leaf, capture: handled; leaf: handled; middle: handled, stopped the pass; root: observed after the stop

    # A handler that sends its own key from below ends at the limit, with an error; the rest goes on (E12.8)
    router root(leaf)
    rules router depth3
    on root.ev/again/#1=continue {send leaf.ev}
    on root.ev/#2
    leaf.ev: root.ev#1, root.ev#1, root.ev#1, handlers sent events within handlers' events, more than 3 deep: ev at root → ev at root → ev at root → ev at leaf, root.ev#2, root.ev#2, root.ev#2 | handled by 1 node; stopped the pass

    # Two keys that send each other, up and down, end at the limit (E12.8)
    busUp root(leaf)
    rules busUp depth4
    on root.up/again {send root.down busDown depth4}
    on leaf.down/again {send leaf.up busUp depth4}
    leaf.up: root.up, leaf.down, root.up, leaf.down, handlers sent events within handlers' events, more than 4 deep: up at root → down at leaf → up at root → down at leaf → up at leaf

    # With a limit of 1 no handler can send (E12.8)
    strategy root(leaf)
    rules strategy depth1
    on root.other
    on root.ev {send root.other}
    leaf.ev: root.ev, handlers sent events within handlers' events, more than 1 deep: ev at root → other at root | handled by 1 node; stopped the pass

    # A second handler of a key is an error, dropped, called too, or a replacement (E8.9)
    strategy n
    on n.e/error/typed/#first=continue n.e/error/typed/#second=continue n.e/keepFirst/typed/#third=continue
    now n: duplicateHandler
    state n: EventProxy(1 key, 1 handler) #first
    n.e: n.e#first
    on n.e/typed/#fourth=continue
    n.e: n.e#first, n.e#fourth
    on n.e/replace/typed/#fifth=continue
    n.e: n.e#fifth
    state n: EventProxy(1 key, 1 handler) #fifth

    # Handlers and interceptors are no duplicates of each other (E8.12)
    on n.e/#interceptor n.e/typed/error/#handler n.e/typed/error/#second n.e/typed/replace/#third n.e/error/#fourth
    now n: duplicateHandler, duplicateHandler
    state n: EventProxy(1 key, 2 handlers) #interceptor #third
    on n.e/replace/#fifth n.e/keepFirst/#sixth
    state n: EventProxy(1 key, 2 handlers) #fifth #third

    # An interceptor is called first and may keep the event from the handlers (E8.11)
    on n.e/typed/#handler=continue n.e/typed/p1/#high=continue n.e/#guard=continue n.e/#second=ignored
    on n.f/typed/#handler=continue n.f/typed/p1/#high=continue n.f/#guard=node n.f/#second=ignored
    n.e: n.e#high, n.e#guard, n.e#second, n.e#handler
    n.f: n.f#high, n.f#guard

    # Handlers of a key that share no direction are not duplicates (E8.16)
    on n.e/error/typed/up/#up n.e/error/typed/down/#down n.e/error/typed/capture/#capture
    now n:
    on n.e/error/typed/up n.e/error/typed/down n.e/error/typed/capture n.e/error/typed
    now n: duplicateHandler, duplicateHandler, duplicateHandler, duplicateHandler
    on n.e/replace/typed/down/#new
    state n: EventProxy(1 key, 3 handlers) #capture #new #up

    # A proxy that is sent an event itself calls its handlers of the capture phase as well (E15.2)
    on n.e/capture
    proxy n.e: 1 handler called: handled | n.e -
    # After a stop at its node a handler is not counted, whether it throws or not; its error is
    on n.e=node n.e/sees/#second=handled n.e/sees/#third=throw:x
    proxy n.e: 1 handler called: handledAndStop(node); 1 error: Failure(text: "x") | n.e, n.e#second, n.e#third

    # One event is kept for each key, of those that reach the proxy, until it is forgotten or no longer kept (E22.1, E22.3)
    strategy root(leaf)
    keep root.b
    keep root.a
    keep root.a
    leaf.a(1): | unhandled
    leaf.a(99): | unhandled
    leaf.c(1): | unhandled
    last root.a: 99
    last root.b: -
    last root.c: -
    // An event that was handled below does not reach it.
    on leaf.a
    leaf.a(100): leaf.a(100)
    last root.a: 99
    rules busDown
    root.a(101): leaf.a(101)
    last root.a: 101
    forget root.a
    last root.a: -
    root.a(102): leaf.a(102)
    last root.a: 102
    cancel #keep
    last root.a: -
    root.a(103): leaf.a(103)
    last root.a: -
    // It handles nothing, and is no duplicate of an interceptor.
    root.b(1): | unhandled
    on root.b/error
    state root: EventProxy(1 key, 2 handlers)

    # A handler that asks for it receives the last event within its registration, and others are not called (E22.1, E22.2)
    strategy n
    keep n.e
    on n.e/last/#first=continue
    now n:
    n.e(3): n.e#first(3)
    n.e(4): n.e#first(4)
    on n.e/last/#second=pass
    now n: n.e#first(4), n.e#second(4)
    on n.e/#quiet
    now n: n.e#first(4), n.e#second(4)

    # A late handler may send the event, register, and end its registrations (E22.2)
    keep n.e
    n.e(1): | unhandled
    on n.e/last/#outer {send n.e(2); on n.e/last/#inner; off n}
    now n: n.e#outer(1), n.e#outer(2), n.e#inner(2)
    state n: EventProxy(0 keys, 0 handlers)
    last n.e: -
    """
}

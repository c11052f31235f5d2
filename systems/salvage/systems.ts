/** Decay of wrecks, end of abandoned tows, invariants of both. Source: salvage.md 1, 4, 9. */
import { assert } from '../../core/assert.ts'
import { POOR_WRECKS_PER_POI_MAX, WRECKS_PER_POI_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { Participant } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Body, Drone, DroneMemo, DroneScript, DroneWord, Squadron } from '../drone/state.ts'
import { Cover, Policy } from '../insurance/state.ts'
import { Note } from '../note/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { isOnMap } from '../travel/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { isLooted, wreckModules, wrecksAt, wreckTypeOf } from './model.ts'
import { expireWrecks, POOR_BELOW_CREDITS } from './rules.ts'
import { Tow, Wreck } from './state.ts'
import { dropAbandoned } from './tow-rules.ts'

function checkWreck(view: WorldView, row: Row): void {
  const { value, initialValue, expireTick } = view.read(Wreck)
  assert(value[row] > 0 || !isLooted(view, row), `wreck ${row} holds nothing`)
  assert(value[row] <= initialValue[row], `wreck ${row} is worth more than its initial value`)
  assert(expireTick[row] === 0 || expireTick[row] > view.tick, `wreck ${row} is overdue`)
  for (const module of wreckModules(view, row)) {
    assert(view.read(Module).ship[module] === 0, `module ${module} of a wreck is fitted to a ship`)
  }
}

export const wrecksAreSound: CheckDef = {
  name: 'wrecks: each is listed at its place or towed, within bounds, and holds something',
  run(view, full) {
    if (!full || view.countOf(Wreck) === 0) return
    const { alive, poi, value, tug } = view.read(Wreck)
    let listed = 0
    for (let place = 1; place <= view.highOf(Poi); place++) {
      const wrecks = wrecksAt(view, place)
      if (wrecks.length === 0) continue
      const poor = wrecks.filter(
        (row) => wreckTypeOf(view, row) === 'ship' && value[row] < POOR_BELOW_CREDITS,
      )
      assert(wrecks.length <= WRECKS_PER_POI_MAX, `place ${place} has too many wrecks`)
      assert(poor.length <= POOR_WRECKS_PER_POI_MAX, `place ${place} has too many poor wrecks`)
      listed += wrecks.length
      for (const row of wrecks) {
        assert(alive[row] === 1 && poi[row] === place, `wreck ${row} is listed where it is not`)
        assert(tug[row] === 0, `wreck ${row} is towed but listed at a place`)
      }
    }
    for (let row = 1; row <= view.highOf(Wreck); row++) {
      if (alive[row] === 0) continue
      checkWreck(view, row)
      if (poi[row] !== 0) continue
      assert(tug[row] !== 0 && view.read(Tow).wreck[tug[row]] === row, `wreck ${row} is nowhere`)
      listed++
    }
    assert(listed === view.countOf(Wreck), 'some wreck is neither listed at a place nor towed')
  },
}

export const towsAreConsistent: CheckDef = {
  name: 'tows: a ship tows one thing at most, which refers back to it, and is not towed itself',
  run(view, full) {
    if (!full) return
    const { alive, wreck, ship, tug, pct } = view.read(Tow)
    const { tug: towedBy } = view.read(Wreck)
    const { owner } = view.read(Ship)
    const { ship: flown } = view.read(Player)
    for (let row = 1; row <= view.highOf(Ship); row++) {
      if (alive[row] === 0) continue
      if (wreck[row] === 0 && ship[row] === 0 && tug[row] === 0 && pct[row] === 0) continue
      assert(wreck[row] === 0 || ship[row] === 0, `ship ${row} tows two things`)
      assert(wreck[row] === 0 || towedBy[wreck[row]] === row, `ship ${row} tows another's wreck`)
      assert(ship[row] === 0 || tug[ship[row]] === row, `ship ${row} tows another's ship`)
      if (wreck[row] === 0 && ship[row] === 0)
        assert(pct[row] === 0, `ship ${row} is slowed but tows nothing`)
      if (tug[row] === 0) continue
      const isOnLine = ship[tug[row]] === row && owner[tug[row]] === owner[row]
      assert(isOnLine, `ship ${row} is not on the line of its tug`)
      assert(wreck[row] === 0 && ship[row] === 0, `ship ${row} tows and is towed`)
      const isElsewhere = flown[owner[row]] === row || isOnMap(view, row)
      assert(!isElsewhere, `ship ${row} is towed, but also flown or on the map`)
    }
  },
}

export const abandon: SystemDef = {
  name: 'salvage.abandon',
  phase: 'arrive',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...PACKAGE_WRITES,
    ...BUFF_WRITES,
    Body,
    Cover,
    Drone,
    DroneMemo,
    DroneScript,
    DroneWord,
    JettisonContainer,
    Note,
    Participant,
    Policy,
    Squadron,
    Tow,
    Wreck,
  ],
  run: dropAbandoned,
}

export const decay: SystemDef = {
  name: 'salvage.decay',
  phase: 'produce',
  writes: [...PACKAGE_WRITES, Module, Note, Wreck],
  run: expireWrecks,
}

/** Invariants of drones. */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer, unitsIn } from '../../core/goods.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { DRONE_ITEMS, dronesOf, figuresOf } from './model.ts'
import {
  Body,
  DEPLOYED,
  DRONE_MEMORY_MAX,
  DRONES_PER_PLAYER_MAX,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  IN_BAY,
  Squadron,
} from './state.ts'

function checkPlace(view: WorldView, drone: Row): void {
  const { state, body, poi, ship, system, hold, holdUsed } = view.read(Drone)
  const hull = body[drone]
  const isOut = state[drone] !== IN_BAY
  assert(isOut === (hull !== 0), `drone ${drone} is out without a hull, or in with one`)
  assert(isOut === (system[drone] !== 0), `drone ${drone} is out nowhere`)
  assert(isOut || ship[drone] !== 0, `drone ${drone} is in the bay of no ship`)
  if (isOut) {
    assert(view.read(Body).drone[hull] === drone, `the hull of drone ${drone} is another's`)
    assert(view.read(Location).poi[hull] === poi[drone], `drone ${drone} is not where its hull is`)
    assert((state[drone] === DEPLOYED) === (poi[drone] !== 0), `drone ${drone} is at two places`)
  }
  const held = hold[drone] === 0 ? [] : contentsOf(view, hold[drone])
  const used = held.reduce((sum, { item, units }) => sum + GOODS[item].size * units, 0)
  assert(holdUsed[drone] === used, `drone ${drone} counts ${holdUsed[drone]} of ${used} in use`)
  assert(used <= figuresOf(view, drone).hold, `drone ${drone} carries too much`)
}

function checkMemory(view: WorldView, drone: Row): void {
  const { firstMemo, memorySize } = view.read(Drone)
  const { next, key, value } = view.read(DroneMemo)
  const { size } = view.read(DroneWord)
  let sum = 0
  for (let memo = firstMemo[drone]; memo !== 0; memo = next[memo]) {
    sum += size[key[memo]] + size[value[memo]]
  }
  assert(memorySize[drone] === sum && sum <= DRONE_MEMORY_MAX, `drone ${drone} remembers too much`)
}

export const dronesAreSound: CheckDef = {
  name: 'drones: each is in a bay or at a place; items, scripts and memories add up',
  run(view, full) {
    if (!full || view.countOf(Drone) === 0) return
    const { ship, type, script } = view.read(Drone)
    const counts = DRONE_ITEMS.map(() => 0)
    const uses = new Map<Row, number>()
    for (let player = 1; player <= view.highOf(Player); player++) {
      const drones = dronesOf(view, player)
      if (drones.length === 0) continue
      assert(drones.length <= DRONES_PER_PLAYER_MAX, `player ${player} has too many drones`)
      const { count } = view.read(Squadron)
      assert(count[player] === drones.length, `player ${player} counts other drones`)
      for (const drone of drones) {
        const of = view.read(Ship).owner[ship[drone]]
        assert(ship[drone] === 0 || of === player, `drone ${drone} is of a strange ship`)
        counts[type[drone]]++
        uses.set(script[drone], (uses.get(script[drone]) ?? 0) + 1)
        checkPlace(view, drone)
        checkMemory(view, drone)
      }
    }
    for (const [index, item] of DRONE_ITEMS.entries()) {
      const units = unitsIn(view, namedContainer('drones'), item)
      assert(units === counts[index], `${units} items are ${counts[index]} drones`)
    }
    checkScripts(view, uses)
  },
}

function checkScripts(view: WorldView, uses: ReadonlyMap<Row, number>): void {
  const script = view.read(DroneScript)
  for (let row = 1; row <= view.highOf(DroneScript); row++) {
    if (script.alive[row] === 0) continue
    assert(script.uses[row] === (uses.get(row) ?? 0), `script ${row} counts other drones`)
  }
}

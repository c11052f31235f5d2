/**
 * Ways out of a battle that modules know: the warp that saves a ship from its last hit, and the
 * cloak that hides it for a while. Source: combat.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { fail } from '../../core/errors.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { meetLaw } from '../law/rules.ts'
import { dropTow } from '../salvage/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { modulesOf, moduleTypeOf, recompute, unfitModule } from '../ship/rules.ts'
import { Location, StarSystem } from '../travel/columns.ts'
import { place } from '../travel/rules.ts'
import { neighboursOf } from '../travel/views.ts'
import { Lives } from './columns.ts'

const CLOAK_TICKS = 10
const DIRECTION = hashText('emergency warp')

/**
 * Throws a ship into a neighbouring system; the device is used up, and a flight it was on is off.
 */
export function warpAway(world: World, ship: Eid): void {
  dropTow(world, ship)
  const device = modulesOf(world, ship).find(
    (module) => moduleTypeOf(world, module).special === 'emergency_warp_stabilizer',
  )
  if (device !== undefined) {
    unfitModule(world, device)
    recompute(world, ship)
  }
  const player = world.read(Ship).owner[ship]
  if (player !== 0 && pendingOf(world, player)) answerLater(world, player, fail('combat_interrupt'))
  throwOut(world, ship)
}

/** Puts a ship that is in no battle at the entry of a neighbouring system. */
export function throwOut(world: World, ship: Eid): void {
  const { seq } = world.read(Ship)
  const ways = neighboursOf(world, world.read(Location).system[ship])
  assert(ways.length > 0, 'a system has no neighbour')
  const way = ways[hash32(world.seed, world.tick, DIRECTION, seq[ship]) % ways.length]
  place(world, ship, world.read(StarSystem).entryPoi[way.to])
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) meetLaw(world, owner, way.to)
}

/** Players whose emergency cloak ends, by tick. Derived from `cloakUntil`. */
const CLOAKED = defineIndex('combat.cloaked', () => new Map<number, Eid[]>())

function expectEnd(world: World, player: Eid): void {
  const cloaked = world.index(CLOAKED)
  const tick = world.read(Lives).cloakUntil[player]
  const due = cloaked.get(tick)
  if (due) due.push(player)
  else cloaked.set(tick, [player])
}

/** Hides the ship of a player for a while. ours: a line would betray it, so it is let go of. */
export function hideShip(world: World, ship: Eid): void {
  const player = world.read(Ship).owner[ship]
  if (player === 0) return
  dropTow(world, ship)
  setCloak(world, player, true)
  world.write(Lives).cloakUntil[player] = world.tick + CLOAK_TICKS
  expectEnd(world, player)
}

export const uncloak: SystemDef = {
  name: 'combat.uncloak',
  phase: 'arrive',
  reads: [],
  writes: [Player, Lives],
  run(world) {
    const cloaked = world.index(CLOAKED)
    const due = cloaked.get(world.tick)
    if (!due) return
    cloaked.delete(world.tick)
    const { cloakUntil } = world.write(Lives)
    for (const player of due) {
      if (cloakUntil[player] !== world.tick) continue
      setCloak(world, player, false)
    }
  },
}

/** Fills the index from the column, after a restore. */
export function rebuildCloaks(world: World): void {
  world.index(CLOAKED).clear()
  const { cloakUntil } = world.read(Lives)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && cloakUntil[player] !== 0) expectEnd(world, player)
  }
}

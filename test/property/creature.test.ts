/** Creatures under random hunts: their number is bounded, and no hunt draws in a herd. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CREATURES } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'
import { battles, inBattle, participantsOf } from '../../systems/combat/model.ts'
import { BATTLE_KINDS, Battle, Participant } from '../../systems/combat/state.ts'
import { playTurn } from '../../systems/creature/herds-systems.ts'
import { isCreature } from '../../systems/creature/model.ts'
import { Creature, Herd } from '../../systems/creature/state.ts'
import { shipId } from '../../systems/ship/model.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { Location } from '../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'

const PLAYERS = 4

/** Expects at most one creature in each hunt; general battles may hold more. */
function expectSingleHunts(world: World): void {
  const { kind } = world.read(Battle)
  const { ship } = world.read(Participant)
  for (const battle of battles(world)) {
    if (BATTLE_KINDS[kind[battle]] !== 'hunt') continue
    const beasts = participantsOf(world, battle).filter((row) => isCreature(world, ship[row]))
    expect(beasts.length).toBeLessThanOrEqual(1)
  }
}

function expectBoundedHerds(world: World): void {
  const { count, size, kind } = world.read(Herd)
  let members = 0
  for (let herd = 1; herd <= world.highOf(Herd); herd++) {
    expect(count[herd]).toBeLessThanOrEqual(size[herd])
    expect(size[herd]).toBeLessThanOrEqual(CREATURES[kind[herd]].herd[1])
    members += count[herd]
  }
  expect(members).toBe(world.countOf(Creature))
  expect(members).toBeLessThanOrEqual(rowsOf(Creature, world.maxEntities))
}

/** Returns the nth herd that is not empty, with the ships of its members. */
function herdAt(world: World, nth: number): { bodies: Eid[]; herd: Row } {
  const { alive, herd: herdOf, ship } = world.read(Creature)
  const { count } = world.read(Herd)
  const herds = Array.from({ length: world.highOf(Herd) }, (_, i) => i + 1)
  const populated = herds.filter((herd) => count[herd] > 0)
  const herd = populated[nth % populated.length]
  const bodies: Eid[] = []
  for (let row = 1; row <= world.highOf(Creature); row++) {
    if (alive[row] === 1 && herdOf[row] === herd) bodies.push(ship[row])
  }
  return { bodies, herd }
}

function huntOnce(small: SmallWorld, player: Eid, nth: number): void {
  const { world } = small
  const { bodies } = herdAt(world, nth)
  const { poi, system } = world.read(Location)
  const prey = bodies[nth % bodies.length]
  const own = world.read(Player).ship[player]
  if (poi[prey] !== 0 && !inBattle(world, player)) placeInSpace(world, own, poi[prey])
  expect(system[prey]).not.toBe(0)
  small.tick({ player, command: 'hunt', params: { target_id: shipId(world, prey) } })
}

test('a hunt holds one creature at most, and herds keep within their size', async () => {
  const small = await smallWorld({ maxEntities: 4_000, players: PLAYERS })
  const step = fc.record({
    player: fc.integer({ min: 0, max: PLAYERS - 1 }),
    nth: fc.integer({ min: 0, max: 1_000 }),
    act: fc.constantFrom('hunt', 'hunt', 'wait', 'turn'),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 12 }), (steps) => {
      for (const { player, nth, act } of steps) {
        if (act === 'hunt') huntOnce(small, small.players[player], nth)
        else if (act === 'turn') playTurn(small.world, herdAt(small.world, nth).herd)
        else small.ticks(1 + (nth % 3))
        expectSingleHunts(small.world)
        expectBoundedHerds(small.world)
      }
    }),
    { numRuns: 15, seed: 7 },
  )
}, 120_000)

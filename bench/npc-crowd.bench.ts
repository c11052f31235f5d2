/**
 * A crowd of NPCs: how long 5,000 pirates and creatures in one star system take per tick to decide,
 * with players among them to hunt, wounded creatures, and a battle.
 */
import { assert } from '../core/assert.ts'
import { stateHash } from '../core/hash.ts'
import { drawBelow, hash32, hashText } from '../core/rng.ts'
import type { Eid, World } from '../core/types.ts'
import { BOUND, Player } from '../systems/account/state.ts'
import { aggress } from '../systems/combat/engage-rules.ts'
import { rouse } from '../systems/creature/rules.ts'
import { Creature } from '../systems/creature/state.ts'
import { kindsAt, makeCreature } from '../systems/creature/systems.ts'
import { lurkPlacesOf, uncommittedPirates } from '../systems/npc/model.ts'
import { makePirate } from '../systems/npc/spawn-systems.ts'
import { Npc } from '../systems/npc/state.ts'
import { Ship } from '../systems/ship/state.ts'
import { poisOf } from '../systems/travel/model.ts'
import { placeInSpace } from '../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../systems/travel/state.ts'
import { type BenchDef, medianOf } from './bench.ts'
import { benchWorld } from './worlds.ts'

/** `each`: number of pirates, and also of creatures. */
const CROWD = { tiny: { each: 50, players: 6 }, full: { each: 2_500, players: 200 } }
const TICKS = { tiny: 10, full: 300 }
/** Enough for the crowd in addition to the NPCs of all other systems. */
const MAX_ENTITIES = { tiny: 60_000, full: 300_000 }
const KIND = hashText('bench.npc-crowd')
/** The tiers of ten pirates. */
const TIERS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2]

/** Returns the lawless system with the most places where pirates lurk. */
function systemWithMostPirates(world: World): Eid {
  const { police, stronghold } = world.read(StarSystem)
  let best = 1
  let placesMax = 0
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (police[system] > 0 || stronghold[system] === 1) continue
    const places = lurkPlacesOf(world, system).length
    if (places > placesMax) [best, placesMax] = [system, places]
  }
  return best
}

function fillWithCreatures(world: World, system: Eid, count: number): void {
  const wild = poisOf(world, system).filter((poi) => kindsAt(world, poi).length > 0)
  assert(wild.length > 0, 'nothing lives in this system')
  for (let i = 0; i < count; i++) {
    const poi = wild[i % wild.length]
    const kinds = kindsAt(world, poi)
    const kind = kinds[drawBelow(kinds.length, hash32(world.seed, KIND, i))]
    const creature = makeCreature(world, { kind, poi, herd: 0 })
    const body = world.read(Creature).ship[creature]
    if (i % 10 !== 0) continue
    world.write(Ship).hull[body] = 1
    rouse(world, body)
  }
}

/** Places players where pirates lurk; the first attacks one of the pirates. */
function sendPlayers(world: World, system: Eid, count: number): void {
  const places = lurkPlacesOf(world, system)
  const { ship } = world.read(Player)
  const { bound } = world.write(Player)
  for (let player = 1; player <= count; player++) {
    bound[player] = BOUND.ws
    placeInSpace(world, ship[player], places[player % places.length])
  }
  const [target] = uncommittedPirates(world, system)
  assert(aggress(world, ship[1], target).ok, 'the attack was refused')
}

export const bench: BenchDef = {
  name: 'npc-crowd',
  about:
    'Full size: 2,500 pirates and 2,500 creatures in one star system, 200 players among them, one ' +
    'creature in ten wounded, a battle of a player against 24 pirates: only phase decide.',
  variants: ['all'],
  lines: [
    { of: 'thinking', unit: 'ms', atMost: 10 },
    { of: 'slowest thinking in a hundred', unit: 'ms' },
  ],
  async run(size) {
    const { each, players } = CROWD[size]
    const { engine, close } = await benchWorld({ players, maxEntities: MAX_ENTITIES[size] })
    const { world, registry } = engine
    const system = systemWithMostPirates(world)
    for (let i = 0; i < each; i++) makePirate(world, system, TIERS[i % TIERS.length])
    fillWithCreatures(world, system, each)
    sendPlayers(world, system, players)
    const named = (names: readonly string[]) =>
      registry.systems.filter(({ name, run }) => run && names.includes(name))
    const others = named(['travel.arrive', 'npc.engage', 'creature.pounce'])
    const hunted = new Set<number>()
    const thinking = named(['npc.decide', 'creature.live'])
    assert(thinking.length === 2, 'a system that makes NPCs decide is missing')
    const times: number[] = []
    for (let i = 0; i < TICKS[size]; i++) {
      world.tick++
      for (const { run } of others) run?.(world)
      const since = performance.now()
      for (const { run } of thinking) run?.(world)
      times.push(performance.now() - since)
      for (let npc = 1; npc <= world.highOf(Npc); npc++) hunted.add(world.read(Npc).prey[npc])
      world.recycle()
    }
    await close()
    const sorted = [...times].sort((a, b) => a - b)
    const types = poisOf(world, system).map((poi) => POI_TYPES[world.read(Poi).type[poi]])
    return {
      medianMs: {
        thinking: medianOf(times),
        'slowest thinking in a hundred': sorted[Math.floor(sorted.length * 0.99)],
      },
      rows: world.countOf(Npc) + world.countOf(Creature),
      facts: { places: types.length, hunted: hunted.size - 1 },
      hash: stateHash(world),
    }
  },
}

/**
 * A battle in a real small world, with ships of chosen hulls and crews in contact, and the boarding
 * steps of a tick (H3, H7, H10). Weapon fire comes from the test.
 */
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import { checkInvariants } from '../../../core/invariants.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { emptyOutbox } from '../../../core/world.ts'
import { Player } from '../../../systems/account/state.ts'
import { boardingNotes } from '../../../systems/boarding/model.ts'
import { requestBoarding } from '../../../systems/boarding/rules.ts'
import { Boarding, type BoardingNote, LINK_PHASES, Link } from '../../../systems/boarding/state.ts'
import { assault, closing, settle } from '../../../systems/boarding/systems.ts'
import {
  addSide,
  joinBattle,
  makeHostile,
  openBattle,
} from '../../../systems/combat/battles-rules.ts'
import { battlesAreFought } from '../../../systems/combat/checks.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  Participant,
  STANCES,
} from '../../../systems/combat/state.ts'
import { expire } from '../../../systems/prize/systems.ts'
import { createShip, fitModule, recompute, trackShield } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

interface Crewed {
  /** Side 1 or 2, which are enemies. */
  readonly side: 1 | 2
  /** Player who flies it; absent: a pirate. */
  readonly player?: Eid
  readonly hull?: string
  readonly crew?: number
  readonly marines?: number
  readonly speed?: number
  /** Default: berths for 15 more marines. */
  readonly modules?: readonly string[]
  /** Shield left, points; default none. */
  readonly shield?: number
  readonly ring?: number
}

export interface Hit {
  readonly attacker: Row
  readonly target: Row
  readonly hull: number
  readonly burn?: boolean
}

export interface Stage {
  readonly small: SmallWorld
  readonly players: readonly Eid[]
  readonly battle: Row
  readonly poi: Eid
  enter(crewed: Crewed): Row
  /** Lets a ship at the place join the battle again. */
  rejoin(ship: Eid, side: 1 | 2): Row
  /** Requests a boarding; returns the code of the refusal, if any. */
  board(attacker: Row, target: Row, marines: number): string | undefined
  order(row: Row, stance: (typeof STANCES)[number]): void
  /** Runs one tick of boarding with these hits on hulls; returns the notes for the log. */
  round(...hits: Hit[]): readonly BoardingNote[]
  rounds(count: number): BoardingNote[]
  /** Runs rounds until a boarding ends; returns its outcome. */
  untilEnd(): string | undefined
  phaseOf(row: Row): string | undefined
  linkOf(row: Row): Row
  people(row: Row): { crew: number; hurt: number; marines: number; hurtMarines: number }
  stanceOf(row: Row): string
  shipOf(row: Row): Eid
  takePayloads(type: string): Readonly<Record<string, unknown>>[]
}

const ROUNDS_MAX = 200
/** Ticks over which the checks are spread: all of them every round would cost ten times as much. */
const CHECK_EVERY = 4

/** Makes a world with players once; each call of the result sets the stage in a fresh copy. */
export async function stages(players = 4): Promise<() => Promise<Stage>> {
  const small = await smallWorld({ players })
  return async () => stageIn(await small.reload(), small.players)
}

/** Sets the stage in a lawless system, so that nothing else forbids the fight. */
function stageIn(small: SmallWorld, players: readonly Eid[]): Stage {
  const { world, engine, registry } = small
  // A stage does not run the systems that end a battle, so this check would fail.
  const checks = registry.checks.filter((check) => check !== battlesAreFought)
  const { alive, police } = world.read(StarSystem)
  let system = 1
  while (alive[system] === 0 || police[system] > 0) system++
  const poi = poisOf(world, system)[0]
  let battle = 0

  const makeShip = (crewed: Crewed): Eid => {
    const ship = createShip(world, {
      owner: crewed.player ?? 0,
      shipClass: shipClassIndex(crewed.hull ?? 'reaver'),
      modules: [],
    })
    for (const id of crewed.modules ?? ['marine_barracks']) fitModule(world, ship, itemIndex(id))
    recompute(world, ship)
    const columns = world.write(Ship)
    columns.crewFit[ship] = crewed.crew ?? columns.crewCap[ship]
    columns.marinesFit[ship] = crewed.marines ?? 0
    columns.shield[ship] = crewed.shield ?? 0
    trackShield(world, ship)
    recompute(world, ship)
    placeInSpace(world, ship, poi)
    if (crewed.player !== undefined) {
      removeFromMap(world, world.read(Player).ship[crewed.player])
      world.write(Player).ship[crewed.player] = ship
    }
    return ship
  }

  const hit = ({ attacker, target, hull, burn }: Hit, row: Row): void => {
    const attack = world.write(Attack)
    const ship = world.read(Participant).ship[target]
    attack.attacker[row] = attacker
    attack.target[row] = target
    attack.type[row] = 0
    attack.flags[row] = burn ? ATTACK_FLAGS.burn : ATTACK_FLAGS.hit
    attack.hullHit[row] = hull
    world.write(Ship).hull[ship] = Math.max(0, world.read(Ship).hull[ship] - hull)
  }

  const stage: Stage = {
    small,
    players,
    get battle() {
      return battle
    },
    poi,
    enter(crewed) {
      const ship = makeShip(crewed)
      if (battle === 0) {
        battle = openBattle(world, ship)
        addSide(world, battle)
        addSide(world, battle)
        makeHostile(world, battle, 1, 2)
      }
      const row = joinBattle(world, battle, ship, crewed.side)
      const part = world.write(Participant)
      part.ring[row] = crewed.ring ?? 0
      part.speed[row] = crewed.speed ?? 3
      part.effectiveSpeed[row] = crewed.speed ?? 3
      return row
    },
    rejoin(ship, side) {
      const row = joinBattle(world, battle, ship, side)
      world.write(Participant).ring[row] = 0
      world.write(Ship).shield[ship] = 0
      return row
    },
    board: (attacker, target, marines) => requestBoarding(world, attacker, target, marines)?.code,
    order(row, stance) {
      world.write(Participant).orderStance[row] = STANCES.indexOf(stance) + 1
    },
    round(...hits) {
      world.outbox = emptyOutbox()
      world.tick++
      engine.section.run(world, closing)
      const columns = world.write(Battle)
      columns.firstAttack[battle] = 1
      columns.attackCount[battle] = hits.length
      for (const [i, given] of hits.entries()) hit(given, i + 1)
      engine.section.run(world, assault)
      settle.run?.(world)
      const notes = boardingNotes(world, battle)
      world.recycle()
      expire.run?.(world)
      checkInvariants(world, { ...registry, checks }, [], CHECK_EVERY)
      return notes
    },
    rounds: (count) => Array.from({ length: count }, () => [...stage.round()]).flat(),
    untilEnd() {
      for (let i = 0; i < ROUNDS_MAX; i++) {
        const ended = stage.round().find(({ event }) => event === 'ended')
        if (ended) return ended.outcome
      }
      return undefined
    },
    linkOf: (row) => world.read(Boarding).link[row],
    phaseOf: (row) => {
      const link = stage.linkOf(row)
      return link === 0 ? undefined : LINK_PHASES[world.read(Link).phase[link]]
    },
    people(row) {
      const ship = stage.shipOf(row)
      const { crewFit, crewInjured, marinesFit, marinesInjured } = world.read(Ship)
      return {
        crew: crewFit[ship],
        hurt: crewInjured[ship],
        marines: marinesFit[ship],
        hurtMarines: marinesInjured[ship],
      }
    },
    stanceOf: (row) => STANCES[world.read(Participant).stance[row]],
    shipOf: (row) => world.read(Participant).ship[row],
    takePayloads: (type) =>
      world.outbox.emissions
        .filter((emission) => emission.type === type)
        .map(({ payload }) => payload),
  }
  return stage
}

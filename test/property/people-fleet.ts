/** A fleet of allies and their prizes at a base, with a count of everybody aboard. */
import { itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { grant } from '../../core/guard.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerId, walletOf } from '../../systems/account/model.ts'
import { allied, Player } from '../../systems/account/state.ts'
import { baseId, capitalOf } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { peopleOf } from '../../systems/personnel/model.ts'
import { changePeople } from '../../systems/personnel/rules.ts'
import { Pools } from '../../systems/personnel/state.ts'
import { prizeId, prizeOf } from '../../systems/prize/model.ts'
import { openPrize } from '../../systems/prize/rules.ts'
import { PRIZE_STATUS, Prize } from '../../systems/prize/state.ts'
import { createShip, fitModule, recompute } from '../../systems/ship/rules.ts'
import { Ship } from '../../systems/ship/state.ts'
import { addGrant } from '../contributions.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'

export interface Fleet {
  readonly small: SmallWorld
  readonly world: World
  readonly players: readonly Eid[]
  readonly ids: readonly string[]
  readonly prizes: readonly { readonly hull: Eid; readonly id: string }[]
  /** Counts the crew and the marines aboard all ships and in all pools. */
  count(): { crew: number; marines: number }
  /** Returns the state of each prize; `gone` once it is delivered. */
  states(): string[]
  /** Hurts this many of a prize's crew. */
  hurt(prize: number, crew: number): void
}

const CREDITS = 20_000

/** Makes a world once; returns a function that opens the fleet in a fresh copy of it. */
export async function fleets(players: number): Promise<() => Promise<Fleet>> {
  const start = await smallWorld({ players })
  const { world } = start
  for (const player of start.players) {
    const ship = world.read(Player).ship[player]
    for (const id of ['crew_quarters', 'marine_barracks']) fitModule(world, ship, itemIndex(id))
    recompute(world, ship)
    changePeople(world, ship, { fitCrew: 5, injuredCrew: 2, fitMarines: 3, injuredMarines: 1 })
    post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
    if (balanceOf(world, walletOf(world, player)) < CREDITS) throw new Error('too poor')
  }
  // The pools of the first bases grow in these ticks, and not again while the test runs.
  start.ticks(3)
  return async () => fleetIn(await start.reload())
}

/** Returns the ids of the capital where the fleet is, and of another one. */
export const baseIdsNear = ({ world }: Fleet): string[] =>
  [0, 1].map((empire) => {
    return baseId(world, capitalOf(world, empire))
  })

function fleetIn(small: SmallWorld): Fleet {
  const { world } = small
  const count = world.countOf(Player)
  const players = Array.from({ length: count }, (_, i) => world.rowOf(Player, i + 1))
  addGrant(
    world,
    grant(allied, () => true),
  )
  const poi = world.read(Base).poi[capitalOf(world, 0)]
  const prizes = players.map((captor) => {
    const shipClass = shipClassIndex('reaver')
    const hull = createShip(world, { owner: 0, shipClass, modules: [] })
    world.write(Ship).crewFit[hull] = 0
    const former = { id: 'former', name: 'Former Owner' }
    const prize = openPrize(world, { ship: hull, poi, captor, home: 0, former })
    return { hull, id: prizeId(world, prize) }
  })
  return {
    small,
    world,
    players,
    prizes,
    ids: players.map((player) => playerId(world, player)),
    count() {
      const sum = { crew: 0, marines: 0 }
      const { alive } = world.read(Ship)
      for (let ship = 1; ship <= world.highOf(Ship); ship++) {
        if (alive[ship] === 0) continue
        const people = peopleOf(world, ship)
        sum.crew += people.fitCrew + people.injuredCrew
        sum.marines += people.fitMarines + people.injuredMarines
      }
      const { crew, marines } = world.read(Pools)
      for (let base = 1; base <= world.highOf(Base); base++) {
        sum.crew += crew[base]
        sum.marines += marines[base]
      }
      return sum
    },
    states: () =>
      prizes.map(({ hull }) => {
        const prize = prizeOf(world, hull)
        return prize === 0 ? 'gone' : PRIZE_STATUS[world.read(Prize).status[prize]]
      }),
    hurt(prize, crew) {
      const { hull } = prizes[prize]
      const hit = Math.min(crew, peopleOf(world, hull).fitCrew)
      changePeople(world, hull, { fitCrew: -hit, injuredCrew: hit })
    },
  }
}

/** Two players docked at their capital, for tests of crew, marines and the injured. */
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { peopleOf } from '../../../systems/personnel/model.ts'
import { changePeople } from '../../../systems/personnel/rules.ts'
import { type People, Pools } from '../../../systems/personnel/state.ts'
import { activeShip, loadCargo } from '../../../systems/ship/model.ts'
import { fitModule, recompute } from '../../../systems/ship/rules.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface Ward {
  readonly small: SmallWorld
  readonly world: World
  readonly base: Eid
  readonly pilot: Eid
  readonly friend: Eid
  readonly ship: Eid
  readonly friendShip: Eid
  readonly friendId: string
  act(command: string, params?: object): ReturnType<SmallWorld['act']>
  /** Sets the people of a ship. */
  man(ship: Eid, people: Partial<People>): void
  fit(ship: Eid, module: string): void
  stow(item: string, units: number): void
  pools(): { crew: number; marines: number; medical: number }
  setPool(pool: 'crew' | 'marines' | 'medical', count: number): void
  credits(): number
  setCredits(credits: number): void
  /** Returns the payloads of one type that a player got since the last call. */
  takePayloads(player: Eid, type: string): Record<string, unknown>[]
}

/** Makes a world, and returns a function that opens a ward in a copy of it. */
export async function wards(): Promise<() => Promise<Ward>> {
  const start = await smallWorld({ players: 2 })
  // These ticks include the first refill of the pools of capitals.
  start.ticks(2)
  return async () => wardIn(await start.reload())
}

function wardIn(small: SmallWorld): Ward {
  const { world } = small
  const [pilot, friend] = [world.rowOf(Player, 1), world.rowOf(Player, 2)]
  const ship = activeShip(world, pilot)
  const base = dockedBase(world, pilot)
  const wallet = walletOf(world, pilot)
  return {
    small,
    world,
    base,
    pilot,
    friend,
    ship,
    friendShip: activeShip(world, friend),
    friendId: playerId(world, friend),
    act: (command, params = {}) => small.act(pilot, command, params),
    man(target, people) {
      const have = peopleOf(world, target)
      const change = Object.entries(people).map(([name, count]) => [
        name,
        count - have[name as keyof People],
      ])
      changePeople(world, target, Object.fromEntries(change))
    },
    fit(target, module) {
      fitModule(world, target, itemIndex(module))
      recompute(world, target)
    },
    stow: (item, units) => loadCargo(world, ship, namedContainer('supply'), itemIndex(item), units),
    pools() {
      const { crew, marines, medical } = world.read(Pools)
      return { crew: crew[base], marines: marines[base], medical: medical[base] }
    },
    setPool(pool, count) {
      world.write(Pools)[pool][base] = count
    },
    credits: () => balanceOf(world, wallet),
    setCredits(credits) {
      const have = balanceOf(world, wallet)
      const outside = namedAccount('starting_grant')
      if (have > credits) post(world, wallet, outside, have - credits)
      else post(world, outside, wallet, credits - have)
    },
    takePayloads(player, type) {
      const number = world.read(Player).seq[player]
      return small
        .takeEmissions()
        .filter((emission) => emission.type === type && emission.to.includes(number))
        .map(({ payload }) => payload as Record<string, unknown>)
    },
  }
}

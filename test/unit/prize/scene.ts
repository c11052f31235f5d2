/** A prize adrift in a system with a base, with its captor and another player next to it. */
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { removeNpc } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { prizeId } from '../../../systems/prize/model.ts'
import { openPrize } from '../../../systems/prize/rules.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { createShip, fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { neighboursOf, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface PrizeScene {
  readonly small: SmallWorld
  readonly world: World
  readonly players: readonly Eid[]
  readonly captor: Eid
  readonly other: Eid
  /** Place of the prize, without a base. */
  readonly poi: Eid
  /** A base of the system. */
  readonly near: Eid
  /** A base some systems away. */
  readonly far: Eid
  readonly hull: Eid
  readonly prize: Row
  readonly id: string
  baseId(base: Eid): string
  shipOf(player: Eid): Eid
  /** Makes another prize of a captor at the same place. */
  take(captor?: Eid, hull?: string): { hull: Eid; prize: Row; id: string }
  claim(player?: Eid, params?: object): ReturnType<SmallWorld['act']>
  service(action: string, params?: object, player?: Eid): ReturnType<SmallWorld['act']>
  stow(ship: Eid, item: string, units: number): void
  /** Returns the payloads of prize_update sent to a player since the last call, oldest first. */
  takeUpdates(player?: Eid): Record<string, unknown>[]
  /** Runs ticks until prize_update reports a status; returns the payload. */
  until(status: string): Record<string, unknown>
}

const TICKS_MAX = 60

/** Makes the world once; each call of the result sets the scene in a fresh copy. */
export async function prizeScenes(): Promise<() => Promise<PrizeScene>> {
  const start = await smallWorld({ players: 3 })
  const { world } = start
  const system = quietSystem(world)
  const places = poisOf(world, system)
  const { base, hidden } = world.read(Poi)
  const open = places.filter((poi) => base[poi] === 0 && hidden[poi] === 0)
  const [poi] = open
  for (const player of start.players) {
    const ship = world.read(Player).ship[player]
    fitModule(world, ship, itemIndex('crew_quarters'))
    recompute(world, ship)
    world.write(Ship).crewFit[ship] = 20
    recompute(world, ship)
    placeInSpace(world, ship, poi)
  }
  const near = base[places.find((place) => base[place] !== 0) as Eid]
  const far = farBase(world, system)
  return async () => sceneIn(await start.reload(), { poi, near, far })
}

/** Returns a system with a base and two open places; sends its pirates away. */
function quietSystem(world: World): Eid {
  const { base, hidden } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (world.read(StarSystem).police[system] !== 0) continue
    const places = poisOf(world, system)
    const open = places.filter((poi) => base[poi] === 0 && hidden[poi] === 0)
    const based = places.find((poi) => base[poi] !== 0)
    if (open.length < 2 || based === undefined) continue
    if (world.read(Base).pirateRepRequired[base[based]] > 0) continue
    const { ship } = world.read(Npc)
    for (const npc of npcsOf(world, system)) {
      const hull = ship[npc]
      removeNpc(world, hull)
      placeInSpace(world, hull, open[1])
    }
    return system
  }
  throw new Error('no system is quiet')
}

/** Returns the nearest base by lanes that is open to all and in another system. */
function farBase(world: World, from: Eid): Eid {
  const { base, hidden } = world.read(Poi)
  const seen = new Set([from])
  for (let queue = [from]; queue.length > 0; ) {
    const next: Eid[] = []
    for (const system of queue) {
      for (const { to } of neighboursOf(world, system)) {
        if (seen.has(to)) continue
        seen.add(to)
        next.push(to)
        const poi = poisOf(world, to).find((place) => base[place] !== 0 && hidden[place] === 0)
        if (poi && world.read(Base).pirateRepRequired[base[poi]] === 0) return base[poi]
      }
    }
    queue = next
  }
  throw new Error('there is no other base')
}

function sceneIn(
  small: SmallWorld,
  { poi, near, far }: Pick<PrizeScene, 'poi' | 'near' | 'far'>,
): PrizeScene {
  const { world } = small
  const players = [1, 2, 3].map((number) => world.rowOf(Player, number))
  const [captor, other] = players

  const take = (by = captor, shipClass = 'reaver') => {
    const hull = createShip(world, { owner: 0, shipClass: shipClassIndex(shipClass), modules: [] })
    world.write(Ship).crewFit[hull] = 0
    const former = { id: 'former', name: 'Former Owner' }
    const prize = openPrize(world, { ship: hull, poi, captor: by, home: 0, former })
    return { hull, prize, id: prizeId(world, prize) }
  }
  const first = take()

  const takeUpdates = (player = captor) => {
    const number = world.read(Player).seq[player]
    return small
      .takeEmissions()
      .filter(({ type, to }) => type === 'prize_update' && to.includes(number))
      .map(({ payload }) => payload as Record<string, unknown>)
  }
  return {
    small,
    world,
    players,
    captor,
    other,
    poi,
    near,
    far,
    ...first,
    take,
    takeUpdates,
    baseId: (base) => baseId(world, base),
    shipOf: (player) => world.read(Player).ship[player],
    claim: (player = captor, params = {}) =>
      small.act(player, 'claim_prize', {
        prize_id: first.id,
        destination_base_id: baseId(world, near),
        ...params,
      }),
    service: (action, params = {}, player = captor) =>
      small.act(player, 'service_prize', { action, prize_id: first.id, ...params }),
    stow: (ship, item, units) =>
      loadCargo(world, ship, namedContainer('supply'), itemIndex(item), units),
    until(status) {
      for (let i = 0; i < TICKS_MAX; i++) {
        const found = takeUpdates().find((payload) => payload.status === status)
        if (found) return found
        small.ticks(1)
      }
      throw new Error(`the prize is never ${status}`)
    },
  }
}

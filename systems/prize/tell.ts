/** Telling a claimant how his prize fares. Source: spec, prize_update; combat.md section 16. */
import { emit, toPlayer } from '../../core/event.ts'
import { say } from '../../core/say.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipClassOf, shipId, shipName } from '../ship/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiId, systemId } from '../travel/rules.ts'
import { Prize, type PrizeEnd, type PrizeStatus, type WaitReason } from './columns.ts'
import { prizeUpdate } from './events.ts'
import { prizeId, whereOf } from './holdings.ts'

/** What the claimant can do about it. */
const STALLS: Readonly<Record<WaitReason, string>> = {
  no_fuel: say`waits: its tank does not last for the next leg. Refuel it with {service_prize}.`,
  hull_critical: say`waits: its hull would not stand the flight. Repair it with {service_prize}.`,
  no_crew: say`waits: nobody aboard is fit to steer. Send crew with {transfer_personnel}.`,
  no_route: say`waits: no lanes lead to its destination. Redirect it with {service_prize}.`,
  in_combat: 'is held up by a battle.',
  dock_refused: say`waits: its destination does not admit you. Redirect it with {service_prize}.`,
}

function messageOf(
  view: WorldView,
  prize: Row,
  status: PrizeStatus | PrizeEnd,
  wait: WaitReason | undefined,
): string {
  const { ship, destination } = view.read(Prize)
  const name = shipName(view, ship[prize])
  const base = destination[prize] === 0 ? '' : baseName(view, destination[prize])
  if (wait) return `${name} ${STALLS[wait]}`
  switch (status) {
    case 'held':
      return `${name} holds its place until you send it on.`
    case 'delivered':
      return `${name} is home: it is docked at ${base} and yours.`
    case 'lost':
      return `${name} was destroyed.`
    case 'recaptured':
      return `${name} was boarded and taken from you.`
    default:
      return `${name} is on its way to ${base}.`
  }
}

/** Where a prize is, as far as its claimant knows the place. */
export function placeOf(view: WorldView, prize: Row): { system_id?: string; poi_id?: string } {
  const { ship, claimant } = view.read(Prize)
  const poi = whereOf(view, ship[prize])
  if (poi === 0 || !seesPoi(view, claimant[prize], poi)) return {}
  return { system_id: systemId(view, view.read(Poi).system[poi]), poi_id: poiId(view, poi) }
}

/** Tells the claimant; nothing while there is none. */
export function tellPrize(
  world: World,
  prize: Row,
  status: PrizeStatus | PrizeEnd,
  more: { readonly wait?: WaitReason; readonly wreckId?: string } = {},
): void {
  const { ship, claimant, destination } = world.read(Prize)
  if (claimant[prize] === 0) return
  const hull = ship[prize]
  const named = world.read(Ship).name[hull] !== 0
  emit(
    world,
    prizeUpdate,
    {
      prize_id: prizeId(world, prize),
      ship_id: shipId(world, hull),
      ship_class: shipClassOf(world, hull).id,
      ...(named ? { ship_name: shipName(world, hull) } : {}),
      status,
      ...(more.wait ? { wait_reason: more.wait } : {}),
      ...(destination[prize] === 0
        ? {}
        : { destination_base_id: baseId(world, destination[prize]) }),
      ...placeOf(world, prize),
      ...(more.wreckId ? { wreck_id: more.wreckId } : {}),
      message: messageOf(world, prize, status, more.wait),
    },
    toPlayer(claimant[prize]),
  )
}

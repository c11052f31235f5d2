/** Telling the parties of a contract what became of it. */
import type { Static } from 'typebox'
import { wireId } from '../../core/entity.ts'
import { emit } from '../../core/event.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { Package } from '../package/columns.ts'
import { actorAt, hearersOf } from './actor-rules.ts'
import { SHIPMENT_STATUS, Shipment } from './columns.ts'
import { type ShipmentNews, shipmentOverdue, shipmentUpdate } from './events.ts'
import { shipmentId } from './store.ts'
import { lateFee, RECOVERY_TICKS } from './terms.ts'

/** Wire id of the package of a contract, also where it is no more. */
export const packageIdOf = (view: WorldView, row: Row): string =>
  `package:${wireId(view.seed, Package.name, view.read(Shipment).pkg[row])}`

/** Wire id of a base by its number; empty where it is no more. */
export function baseIdOf(view: WorldView, number: number): string {
  const base = view.rowOf(Base, number)
  return base === 0 ? '' : baseId(view, base)
}

/** How a sentence calls the destination. */
export function destinationName(view: WorldView, row: Row): string {
  const base = view.rowOf(Base, view.read(Shipment).destination[row])
  return base === 0 ? 'a base that is no more' : baseName(view, base)
}

/** Everybody who hears of a contract, each once. */
function partiesOf(view: WorldView, row: Row): Eid[] {
  const roles = ['shipper', 'carrier', 'recipient'] as const
  return [...new Set(roles.flatMap((role) => hearersOf(view, actorAt(view, row, role))))]
}

type Figures = Partial<
  Pick<
    Static<typeof shipmentUpdate.fields>,
    'deadline_tick' | 'carrier_payout' | 'shipper_refund' | 'claim_paid' | 'debt_created'
  >
>

export function tellUpdate(
  world: World,
  row: Row,
  event: ShipmentNews,
  message: string,
  figures: Figures = {},
): void {
  const rows = partiesOf(world, row)
  if (rows.length === 0) return
  const { status, origin, destination } = world.read(Shipment)
  const payload = {
    tick: world.tick,
    event,
    shipment_id: shipmentId(world, row),
    package_id: packageIdOf(world, row),
    status: SHIPMENT_STATUS[status[row]],
    message,
    origin_base_id: baseIdOf(world, origin[row]),
    destination_base_id: baseIdOf(world, destination[row]),
    ...figures,
  }
  emit(world, shipmentUpdate, payload, { kind: 'players', rows })
}

export function tellOverdue(world: World, row: Row): void {
  const rows = partiesOf(world, row)
  if (rows.length === 0) return
  const { deadlineTick, destination, reward } = world.read(Shipment)
  const deadline = deadlineTick[row]
  const left = deadline + RECOVERY_TICKS - world.tick
  const payload = {
    tick: world.tick,
    deadline_tick: deadline,
    recovery_deadline_tick: deadline + RECOVERY_TICKS,
    ticks_left: left,
    late_fee: lateFee(reward[row], deadline, world.tick),
    shipment_id: shipmentId(world, row),
    package_id: packageIdOf(world, row),
    destination_base_id: baseIdOf(world, destination[row]),
    message: `The package for ${destinationName(world, row)} is late: ${counted(left, 'tick')} to go.`,
  }
  emit(world, shipmentOverdue, payload, { kind: 'players', rows })
}

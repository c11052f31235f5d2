/**
 * What an action of `shipping` is: a row of a table, from which the command of v1 and the address
 * on v2 are made. Source: crafting.md section 10; contract, shipping.
 */
import type { ActionRow } from '../../core/action-table.ts'
import { PRICE_CREDITS_MAX } from '../../core/limits.ts'
import { SHIPMENT_BEACONS_LISTED_MAX, SHIPMENTS_LISTED_MAX } from '../../core/limits-freight.ts'
import { bool, choice, int, page, pageSize, ref, str, type TSchema } from '../../core/params.ts'
import { SERVICE_LEVELS, type ServiceLevel, VISIBILITIES, type Visibility } from './columns.ts'

const OWNERS = ['player', 'faction'] as const
export type OwnerWord = (typeof OWNERS)[number]
const RECIPIENTS = ['player', 'faction', 'station'] as const
const SOURCES = ['cargo', 'storage', 'faction'] as const
export type SourceWord = (typeof SOURCES)[number]
const SORTS = ['reward', 'distance', 'age'] as const
export type SortWord = (typeof SORTS)[number]

const credits = (description: string, min: number, example: number) =>
  int(description, { min, max: 4 * PRICE_CREDITS_MAX, example })

/** Every parameter that an action may take. */
export const FREIGHT_PARAMS = {
  amount: credits('Credits to pay; all that is owed unless said.', 1, 500),
  base_reward: credits('Credits for the carrier, at least 1.', -PRICE_CREDITS_MAX, 1_500),
  carrier: choice('Who carries: yourself, or your faction.', OWNERS),
  destination_base_id: ref(
    'base',
    str('Id of the base it goes to.', { min: 1, example: 'sol_station' }),
  ),
  eligible_as: choice('For whom to look: yourself, or your faction.', OWNERS),
  filter_destination: ref('base', str('Only contracts to the base of this id.', { min: 1 })),
  filter_service_level: choice('Only contracts of this speed.', SERVICE_LEVELS),
  filter_shipper: str('Only contracts of this shipper: id or name of a player, id or tag.', {
    min: 1,
  }),
  insured: bool('True: the package is insured for what it is worth.'),
  invited_carrier_id: str('Who alone may carry it: id or name, id or tag.', { min: 1 }),
  invited_carrier_type: choice('What the invited carrier is.', OWNERS),
  limit: int(`Events shown, the latest, at most ${SHIPMENT_BEACONS_LISTED_MAX}.`, {
    min: 1,
    max: SHIPMENT_BEACONS_LISTED_MAX,
    example: 20,
  }),
  max_total_cost: credits('Do not post if it costs more, credits.', 0, 5_000),
  package_id: str('Id of a package.', { min: 1, example: 'package:0' }),
  page: page(),
  per_page: pageSize(SHIPMENTS_LISTED_MAX),
  recipient_id: str('Who gets it: id or name, id or tag; the shipper unless said.', { min: 1 }),
  recipient_type: choice('What the recipient is.', RECIPIENTS),
  service_level: choice('How fast it has to be.', SERVICE_LEVELS),
  shipment_id: ref('shipment', str('Id of a contract.', { min: 1 })),
  shipper: choice('Who ships and pays: yourself, or your faction.', OWNERS),
  sort: choice('Order: highest reward, shortest way, or oldest first.', SORTS),
  source: choice('Where the package is.', SOURCES),
  source_bucket_id: str('Bucket of the faction store that the package is in.', { min: 1 }),
  speed_bonus: int('Credits more for a carrier who is quick.', {
    min: 0,
    max: PRICE_CREDITS_MAX,
    example: 500,
  }),
  visibility: choice('Who may carry it.', VISIBILITIES),
} as const satisfies Record<string, TSchema>

export type FreightParam = keyof typeof FREIGHT_PARAMS

/** The parameters of a call, checked by shape. */
export interface Asked {
  readonly amount?: number
  readonly base_reward?: number
  readonly carrier?: OwnerWord
  readonly destination_base_id?: string
  readonly eligible_as?: OwnerWord
  readonly filter_destination?: string
  readonly filter_service_level?: ServiceLevel
  readonly filter_shipper?: string
  readonly insured?: boolean
  readonly invited_carrier_id?: string
  readonly invited_carrier_type?: OwnerWord
  readonly limit?: number
  readonly max_total_cost?: number
  readonly package_id?: string
  readonly page?: number
  readonly per_page?: number
  readonly recipient_id?: string
  readonly recipient_type?: (typeof RECIPIENTS)[number]
  readonly service_level?: ServiceLevel
  readonly shipment_id?: string
  readonly shipper?: OwnerWord
  readonly sort?: SortWord
  readonly source?: SourceWord
  readonly source_bucket_id?: string
  readonly speed_bonus?: number
  readonly visibility?: Visibility
}

/** A row of the table of actions. */
export type FreightAction = ActionRow<Asked>

/** Bounds of freight, with unit and reason. Source: crafting.md section 10. */

/** Contracts at MAX_ENTITIES = 1,000,000: those that run, and ended ones that are still shown. */
export const SHIPMENT_ROWS = 100_000
/** Contracts of one shipper that run: posted or under way. */
export const SHIPMENTS_PER_SHIPPER_MAX = 50
/** Contracts of one carrier that are under way. */
export const SHIPMENTS_PER_CARRIER_MAX = 50
/** Contracts on their way to one recipient who has not posted them himself. */
export const SHIPMENTS_PER_RECIPIENT_MAX = 200
/** Contracts that wait for a carrier at one base: all of them are looked through for a list. */
export const SHIPMENTS_POSTED_PER_BASE_MAX = 2_000
/** Ended contracts of one shipper that are still shown, and ticks for which they are. */
export const SHIPMENTS_ENDED_MAX = 20
export const SHIPMENT_KEPT_TICKS = 8_640
/** Rows of a list. */
export const SHIPMENTS_LISTED_MAX = 200
/** Moves of one package that its contract remembers, the latest ones. */
export const SHIPMENT_BEACONS_MAX = 50
/** Rows of an answer of track. */
export const SHIPMENT_BEACONS_LISTED_MAX = 200
/** Base reward, and bonus, of one contract, credits. */
export const SHIPMENT_REWARD_MAX = 1_000_000_000_000
/** Latest deliveries of a carrier that are remembered for the bound a shipper and day. */
export const SHIPMENT_DELIVERIES_REMEMBERED = 64
/** Latest rewards of a distance that an estimate is made of. */
export const SHIPMENT_RATES_KEPT = 32
/** Claims that the insurer could not pay at once, and those it pays in a tick. */
export const SHIPMENT_CLAIMS_OWED_MAX = 100_000
export const SHIPMENT_CLAIMS_PAID_PER_TICK = 20

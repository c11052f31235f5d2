/** Lookups of scan (sensing); writes only to its own columns. */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { modulesOf, moduleTypeOf, shipClassOf } from '../ship/model.ts'
import { cloakOf, feelsSignature, gatheringAt, scanPowerOf } from './model.ts'
import type { contactSchema } from './state.ts'

interface Tier {
  readonly field: string
  /** Margin of power over cloak from which it shows. */
  readonly margin: number
  /** Part of who it is: the anonymous give it away to twice the power only. */
  readonly isIdentity?: true
}

const TIERS: readonly Tier[] = [
  { field: 'ship_class', margin: 0 },
  { field: 'cloaked', margin: 0 },
  { field: 'username', margin: 0, isIdentity: true },
  { field: 'faction_id', margin: 10, isIdentity: true },
  { field: 'hull', margin: 10 },
  { field: 'shield', margin: 10 },
  { field: 'ship_name', margin: 20, isIdentity: true },
  { field: 'description', margin: 20 },
  { field: 'cargo_types', margin: 40 },
]
/** Margin from which a cargo scanner shows what is in the hold. */
const CARGO_SCANNER_MARGIN = 10
/** The least that counts of a tier where twice the power is asked for. */
const IDENTITY_MIN = 5

export interface Contest {
  /** Scanner power P. */
  readonly power: number
  /** Cloak C; 0 while it is off. */
  readonly cloak: number
  readonly isAnonymous: boolean
  readonly hasCargoScanner: boolean
}

/** Names of the fields that a scan reveals, in their order; none where the cloak wins. */
export function revealedBy(contest: Contest): string[] {
  const { power, cloak, isAnonymous, hasCargoScanner } = contest
  const shows = ({ field, margin, isIdentity }: Tier): boolean => {
    const least = field === 'cargo_types' && hasCargoScanner ? CARGO_SCANNER_MARGIN : margin
    if (power - cloak < least) return false
    if (!isIdentity || !isAnonymous) return true
    return power >= 2 * (cloak + Math.max(IDENTITY_MIN, least))
  }
  return TIERS.filter(shows).map(({ field }) => field)
}

/** True if a scanner is fitted or built in: without one nothing is swept. */
export function hasScanner(view: WorldView, ship: Eid): boolean {
  const byHull = shipClassOf(view, ship).inherent_capabilities.some(
    ({ type }) => type === 'integrated_scanner',
  )
  return byHull || modulesOf(view, ship).some((row) => moduleTypeOf(view, row).scanner_power)
}

export interface Reading {
  readonly target_id: string
  readonly success: boolean
  readonly revealed_info: string[]
  readonly [field: string]: unknown
}

/** Fields that lists of contacts leave out: they are for one target at a time. */
const LEFT_OUT = ['description', 'cargo_types']

/** A reading as a contact in a list. */
export function contactOf({ success: _, ...reading }: Reading): Static<typeof contactSchema> {
  const kept = Object.entries(reading).filter(([field]) => !LEFT_OUT.includes(field))
  const shown = reading.revealed_info.filter((field) => !LEFT_OUT.includes(field))
  return { ...Object.fromEntries(kept), revealed_info: shown } as Static<typeof contactSchema>
}

/* Sweeps */

export interface Sweep {
  /** Cloaked players who were made out, in the order of their ships. */
  readonly found: readonly Eid[]
  /** There is another that is felt, but not made out. */
  readonly isSignature: boolean
}

/** Tests every cloaked ship at the place against the observer's scanner. Writes nothing. */
export function sweepPlace(view: WorldView, observer: Eid, poi: Eid): Sweep {
  const power = scanPowerOf(view, observer)
  const { cloaked } = gatheringAt(view, poi)
  const others = cloaked.filter((player) => player !== observer)
  return {
    found: others.filter((player) => power > cloakOf(view, player)),
    isSignature: feelsSignature(view, observer, others),
  }
}

/**
 * What a sensor that stands somewhere reads of a place far away: the contest of a scan with its
 * power. Nobody there hears of it, for no ship has scanned him. Source: factions.md section 6.
 */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isAbsentFor } from '../arena/rules.ts'
import { Location } from '../travel/columns.ts'
import { cloakOf, gatheringAt, isFelt } from './rules.ts'
import { contactOf, readBy } from './scan.ts'
import type { contactSchema } from './schemas.ts'

export interface Sensed {
  /** Players' ships in space there that were read, in the order of their ships. */
  readonly contacts: readonly Static<typeof contactSchema>[]
  /** There is a cloaked one that is felt, but not made out. */
  readonly isSignature: boolean
}

/** Reads every player's ship in space at a place, but for the viewer's; at most `most` of them. */
export function sensePlace(
  view: WorldView,
  viewer: Eid,
  { poi, power, most }: { readonly poi: Eid; readonly power: number; readonly most: number },
): Sensed {
  const { ship } = view.read(Player)
  const { base } = view.read(Location)
  const { online, offline, cloaked } = gatheringAt(view, poi)
  const there = [...online, ...offline, ...cloaked].filter(
    (player) => player !== viewer && base[ship[player]] === 0 && !isAbsentFor(view, viewer, player),
  )
  const contacts = there
    .sort((a, b) => ship[a] - ship[b])
    .map((player) => {
      const subject = { ship: ship[player], player }
      return readBy(view, { power, hasCargoScanner: false }, subject)
    })
    .filter(({ success }) => success)
    .slice(0, most)
    .map(contactOf)
  const isSignature = there.some(
    (player) => cloaked.includes(player) && isFelt(power, cloakOf(view, player)),
  )
  return { contacts, isSignature }
}

/**
 * The wire form of players near a viewer, and what is rendered for many viewers. It is not in
 * state.ts because kernel threads load that file, and they need no schemas.
 */
import { bools, obj, opt, type Static, strings } from '../../core/params.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

export const nearbyPlayerSchema = obj({
  ...opt(strings('player_id', 'username', 'ship_class', 'ship_name', 'faction_id', 'faction_tag')),
  ...opt(strings('status_message', 'clan_tag', 'primary_color', 'secondary_color')),
  ...opt(bools('anonymous', 'in_combat', 'docked', 'offline')),
})

export type NearbyPlayer = Static<typeof nearbyPlayerSchema>

/** Entries of lists that many viewers see alike, by row, rendered once while nothing changes. */
export interface SharedEntries<Entry> {
  writes: number
  readonly entries: Map<Eid, Entry | undefined>
}

const noEntries = <Entry>(): SharedEntries<Entry> => ({ writes: -1, entries: new Map() })

/** Players as the public sees them. */
export const LOOKS = defineIndex('looks of players', () => noEntries<NearbyPlayer>())

/** Places in the list of their system; views.ts renders them. */
export const LISTED_PLACES = defineIndex('travel.listed-places', () => noEntries<object>())

/** Whom goods, credits and ships can be given to. Source: trade-storage.md section 3. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerById } from '../account/rules.ts'
import { baseById } from '../base/rules.ts'
import { factionByText, factionOf } from '../faction/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiById } from '../travel/rules.ts'

export type Recipient =
  | { readonly kind: 'player'; readonly player: Eid }
  | { readonly kind: 'faction'; readonly faction: Row }
  /** Index into EMPIRES. */
  | { readonly kind: 'empire'; readonly empire: number }
  | { readonly kind: 'station'; readonly base: Eid }

const OF_FACTION = 'faction:'
const OF_STATION = 'station:'

/** True for the words that mean a faction. */
export const isFactionWord = (text: string): boolean => {
  const word = text.toLowerCase()
  return word === 'faction' || word.startsWith(OF_FACTION)
}

/** True for the words that mean a station. */
export const isStationWord = (text: string): boolean => text.toLowerCase().startsWith(OF_STATION)

/** A station by the id of its base or of its place. Refusal: station_not_found. */
function stationByText(view: WorldView, text: string): Outcome<Recipient> {
  const id = text.slice(OF_STATION.length).trim()
  const poi = poiById(view, id)
  const base = baseById(view, id) || (poi === 0 ? 0 : view.read(Poi).base[poi])
  return base === 0 ? fail('station_not_found', { station_id: id }) : ok({ kind: 'station', base })
}

/** An empire by its id or its long name; -1 none. */
function empireByText(text: string): number {
  const word = text.toLowerCase()
  return EMPIRES.findIndex(({ id, name }) => id === word || name.toLowerCase() === word)
}

/**
 * Who is meant by a text: `faction` (the own one), `faction:TAG`, `station:<id>`, an empire, a
 * player by id or name. Refusals: not_in_faction, faction_not_found, station_not_found,
 * player_not_found, invalid_target (oneself).
 */
export function recipientOf(view: WorldView, player: Eid, text: string): Outcome<Recipient> {
  if (isFactionWord(text)) {
    const isOwn = text.toLowerCase() === 'faction'
    const named = isOwn ? 0 : factionByText(view, text.slice(OF_FACTION.length))
    const faction = isOwn ? factionOf(view, player) : named
    if (faction !== 0) return ok({ kind: 'faction', faction })
    return isOwn ? fail('not_in_faction') : fail('faction_not_found', { faction: text })
  }
  if (isStationWord(text)) return stationByText(view, text)
  const empire = empireByText(text)
  if (empire >= 0) return ok({ kind: 'empire', empire })
  const other = playerById(view, text)
  if (other === 0) return fail('player_not_found', { player: text })
  return other === player
    ? fail('invalid_target', { target: text })
    : ok({ kind: 'player', player: other })
}

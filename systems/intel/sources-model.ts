/** Factions whose intelligence the players of an account may read: their own, and allies. */
import { INTEL_SOURCES_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { alliesOf } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { levelOfService } from './model.ts'

/** A faction whose intelligence may be read. */
export interface IntelSource {
  readonly faction: Row
  readonly level: number
  /** For an ally, the faction of the players with which it shares; 0 for a faction of theirs. */
  readonly via: Row
}

/**
 * Returns the factions of players that have an intelligence desk, then the allies that share with
 * them. Source: factions.md sections 5 and 6, as in `sourceOf` for one player.
 */
export function sourcesOf(
  view: WorldView,
  players: readonly Eid[],
): { readonly sources: readonly IntelSource[]; readonly truncated: boolean } {
  const found = new Map<Row, IntelSource>()
  const levelOf = (faction: Row): number => levelOfService(view, faction, 'faction_intel')
  for (const faction of new Set(players.map((player) => factionOf(view, player)))) {
    const level = faction === 0 ? 0 : levelOf(faction)
    if (level > 0) found.set(faction, { faction, level, via: 0 })
  }
  const { allyIntelOptOut } = view.read(Faction)
  for (const via of [...found.keys()]) {
    for (const faction of alliesOf(view, via)) {
      if (found.has(faction) || allyIntelOptOut[faction] === 1) continue
      found.set(faction, { faction, level: levelOf(faction), via })
    }
  }
  const sources = [...found.values()]
  return {
    sources: sources.slice(0, INTEL_SOURCES_MAX),
    truncated: sources.length > INTEL_SOURCES_MAX,
  }
}

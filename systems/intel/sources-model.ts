/** Whose knowledge the players of an account may read: their factions', and that of allies. */
import { INTEL_SOURCES_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { alliesOf } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { levelOfService } from './model.ts'

export interface IntelSource {
  readonly faction: Row
  readonly level: number
  /** Of an ally: the own faction that it shares with; 0 for an own one. */
  readonly via: Row
}

/**
 * Lists the factions of players that have an intelligence desk, and after them the allies that
 * share with those. Source: factions.md sections 5 and 6, as `sourceOf` has it for one.
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

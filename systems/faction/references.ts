/** Factions by id, tag or whole name; not by the beginning of one, for there are many. */
import type { ReferenceDef } from '../../core/reference.ts'
import { CREDITS } from './leg-rules.ts'
import { directoryOf, factionByText, factionIdOf, factionNameKey } from './rules.ts'

export const factions: ReferenceDef = {
  kind: 'faction',
  byId(view, _player, text) {
    const named = directoryOf(view).names.get(factionNameKey(text)) ?? 0
    const faction = factionByText(view, text) || named
    return faction === 0 ? undefined : factionIdOf(view, faction)
  },
  names: () => [],
  unknown: ['faction_not_found'],
}

/** Money, where goods are moved and a faction's treasury may be one side. */
export const money: ReferenceDef = {
  kind: 'money',
  byId: (_view, _player, text) => (text === CREDITS ? CREDITS : undefined),
  names: () => [],
  unknown: [],
}

/** Achievements: named feats of players and factions, each rewarded once. */
import type { DomainDef } from '../../core/registry.ts'
import { getAchievements, getFactionAchievements } from './queries.ts'
import { rebuildMarks } from './rules.ts'
import { achievementUnlocked } from './schemas.ts'
import { FACTION_EARNED, FactionFeats, PLAYER_EARNED, PlayerFeats } from './state.ts'
import { featsHold, featsPaid, forgetEarned, unlock } from './systems.ts'

export const achievementDomain: DomainDef = {
  name: 'achievement',
  tables: [PlayerFeats, FactionFeats],
  records: [PLAYER_EARNED, FACTION_EARNED],
  commands: [getAchievements, getFactionAchievements],
  events: [achievementUnlocked],
  systems: [unlock],
  checks: [featsHold, featsPaid],
  observers: [forgetEarned],
  rebuild: rebuildMarks,
}

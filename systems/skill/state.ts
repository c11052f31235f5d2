/** Skills of players: level and experience inside the level, by index into SKILLS. */
import { defineComponent, u8, u16, u32 } from '../../core/columns.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import type { Eid } from '../../core/types.ts'
import { Player } from '../account/state.ts'

/** Skills that the columns have room for; the catalogue has fewer. */
export const SKILLS_WIDTH = 48

/** Sources whose XP a day is capped. Source: missions.md section 5, caps. */
const CAPPED_SOURCES = ['pvp', 'arena', 'trade', 'drone', 'leadership', 'duty'] as const
export type CappedSource = (typeof CAPPED_SOURCES)[number]

/** A skill of a player has reached a higher level. */
export const levelled = defineOccurrence<{
  player: Eid
  skill: string
  before: number
  after: number
}>('levelled')

export const PlayerSkills = defineComponent(Player, 'player_skills', {
  level: u8('0-100', { width: SKILLS_WIDTH }),
  xp: u32('experience inside the level', { width: SKILLS_WIDTH }),
  dayStartTick: u32('first tick of the day the capped counters are for'),
  cappedXp: u16('XP of each skill gained today from capped sources', { width: SKILLS_WIDTH }),
  dutyXp: u8('XP of leadership gained today by acts for the faction'),
  hourStartTick: u32('first tick of the hour that fullPowerXp is for'),
  fullPowerXp: u8('XP of engineering gained in this hour by running near full power'),
})

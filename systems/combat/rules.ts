/** What other domains may ask of battles, and do with them. */
export {
  areHostile,
  battleIn,
  battles,
  combatantOf,
  inBattle,
  joinBattle,
  kindOf,
  type LeaveReason,
  leaveBattle,
  makeHostile,
  participantOf,
  pilotsOf,
} from './battles.ts'
export { aggress, refusesAttack } from './engage.ts'

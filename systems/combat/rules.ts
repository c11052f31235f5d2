/** What other domains may ask of battles, and do with them. */
export {
  addSide,
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
  openBattle,
  participantOf,
  pilotsOf,
  release,
  wishToEngage,
} from './battles.ts'
export { AGGRESSION_TICKS } from './damage.ts'
export { aggress, isAway, refusesAttack } from './engage.ts'
export { throwOut } from './escapes.ts'
export { escapeBattle, handOver, withdraw } from './fates.ts'
export { refreshFit } from './fit.ts'
export { IN_SPACE } from './in-space.ts'
export { loadFitted } from './magazine.ts'
export { leaveControls, type Reconnected, takeControls } from './pilotless.ts'
export { MAY_TRADE, refusesTrade } from './restriction.ts'
export { type Capture, recordCapture, recordDeparture } from './roll.ts'
export { alertArrival } from './tell.ts'
export { loseRide, wakeAtHome } from './waking.ts'

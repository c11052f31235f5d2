/**
 * The law as other domains use it: charging attacks and kills, debts and reputation, detention, and
 * who is wanted. Nothing here imports a place, a battle's course or an NPC, so everybody may import
 * it.
 */
export {
  ALONE,
  chargeAttack,
  chargeKill,
  crimeOf,
  type Deed,
  isJustified,
  officialVictim,
  playerVictim,
  prizeVictim,
  type Standing,
  stationVictim,
  type Victim,
} from './crimes.ts'
export {
  AT_LIBERTY,
  addBounty,
  bountyOf,
  changeReputation,
  collectBounty,
  jailOf,
  oweEmpire,
  restorationOf,
  settleAtDock,
  tellNotice,
} from './debts.ts'
export { isWanted, lawOf, meetLaw, raiseWarrant, warrantOf } from './warrants.ts'

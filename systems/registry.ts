/**
 * The game: the explicit, ordered list of its domains. A new domain is a folder and one line here.
 */
import type { DomainDef } from '../core/registry.ts'
import { accountDomain } from './account/index.ts'
import { achievementDomain } from './achievement/index.ts'
import { arenaDomain } from './arena/index.ts'
import { baseDomain } from './base/index.ts'
import { boardingDomain } from './boarding/index.ts'
import { cargoDomain, packageDomain } from './cargo/index.ts'
import { chatDomain } from './chat/index.ts'
import { citizenshipDomain } from './citizenship/index.ts'
import { combatDomain } from './combat/index.ts'
import { consumableDomain } from './consumable/index.ts'
import { correctionDomain } from './correction/index.ts'
import { craftDomain } from './craft/index.ts'
import { creatureDomain } from './creature/index.ts'
import { diplomacyDomain } from './diplomacy/index.ts'
import { distressDomain } from './distress/index.ts'
import { droneDomain } from './drone/index.ts'
import { economyDomain } from './economy/index.ts'
import { empireDomain } from './empire/index.ts'
import { facilityDomain } from './facility/index.ts'
import { factionDomain } from './faction/index.ts'
import { fittingDomain } from './fitting/index.ts'
import { fleetDomain } from './fleet/index.ts'
import { forumDomain } from './forum/index.ts'
import { freightDomain } from './freight/index.ts'
import { infoDomain } from './info/index.ts'
import { insuranceDomain } from './insurance/index.ts'
import { intelDomain } from './intel/index.ts'
import { lawDomain } from './law/index.ts'
import { logDomain } from './log/index.ts'
import { marketDomain } from './market/index.ts'
import { miningDomain } from './mining/index.ts'
import { missionDomain } from './mission/index.ts'
import { noteDomain } from './note/index.ts'
import { npcDomain } from './npc/index.ts'
import { passengerDomain } from './passenger/index.ts'
import { personnelDomain } from './personnel/index.ts'
import { petitionDomain } from './petition/index.ts'
import { postingDomain } from './posting/index.ts'
import { prizeDomain } from './prize/index.ts'
import { roomDomain } from './room/index.ts'
import { salvageDomain } from './salvage/index.ts'
import { seasonDomain } from './season/index.ts'
import { sensingDomain } from './sensing/index.ts'
import { settingsDomain } from './settings/index.ts'
import { shipDomain } from './ship/index.ts'
import { shipyardDomain } from './shipyard/index.ts'
import { siegeDomain } from './siege/index.ts'
import { skillDomain } from './skill/index.ts'
import { spectatorDomain } from './spectator/index.ts'
import { stationDomain } from './station/index.ts'
import { taxDomain } from './tax/index.ts'
import { tradeDomain } from './trade/index.ts'
import { travelDomain } from './travel/index.ts'
import { wormholeDomain } from './wormhole/index.ts'

/**
 * All domains. One that defines a kind of entity comes before those that add components to it; a
 * new world is filled in this order.
 */
export const DOMAINS: readonly DomainDef[] = [
  empireDomain,
  accountDomain,
  skillDomain,
  shipDomain,
  travelDomain,
  baseDomain,
  stationDomain,
  facilityDomain,
  passengerDomain,
  factionDomain,
  diplomacyDomain,
  fleetDomain,
  craftDomain,
  miningDomain,
  cargoDomain,
  packageDomain,
  noteDomain,
  tradeDomain,
  marketDomain,
  insuranceDomain,
  salvageDomain,
  sensingDomain,
  combatDomain,
  consumableDomain,
  boardingDomain,
  droneDomain,
  npcDomain,
  siegeDomain,
  lawDomain,
  personnelDomain,
  creatureDomain,
  arenaDomain,
  prizeDomain,
  taxDomain,
  fittingDomain,
  shipyardDomain,
  freightDomain,
  chatDomain,
  logDomain,
  forumDomain,
  petitionDomain,
  roomDomain,
  citizenshipDomain,
  settingsDomain,
  postingDomain,
  distressDomain,
  missionDomain,
  infoDomain,
  intelDomain,
  economyDomain,
  achievementDomain,
  wormholeDomain,
  seasonDomain,
  spectatorDomain,
  correctionDomain,
]

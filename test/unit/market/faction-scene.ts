/** A faction with treasury, stores and services at the base of the two traders. */
import { facilityTypeIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Row } from '../../../core/types.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { Facility, OF_FACTION, ONLINE } from '../../../systems/facility/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { openStore, unitsInStore } from '../../../systems/faction/store-model.ts'
import { type Scene, taxOn } from './scene.ts'

export interface FactionScene extends Scene {
  readonly faction: Row
}

/** The facilities that a faction needs to trade on the exchange and in its company store. */
export const SERVICES = ['faction_lockbox', 'faction_market_desk', 'company_store'] as const

/** Makes the player lead a faction with credits and with facilities at the base. */
export function withFaction(scene: Scene, types: readonly string[] = SERVICES): FactionScene {
  const { small, player } = scene
  const faction = foundFaction(small.world, player, 'Tally House', 'TALY')
  post(small.world, namedAccount('missions'), treasuryOf(small.world, faction), 500_000)
  const founded = { ...scene, faction }
  for (const type of types) build(founded, type)
  return founded
}

/** Builds a working facility of the faction. */
export function build({ small, faction, base }: FactionScene, type: string): Row {
  const owner = { kind: OF_FACTION, player: 0, faction } as const
  return addFacility(small.world, { type: facilityTypeIndex(type), base, owner, status: ONLINE })
}

export const seqOf = ({ small }: FactionScene, facility: Row): number =>
  small.world.read(Facility).seq[facility]

/** Puts goods into a store of the faction. */
export function stock(scene: FactionScene, units: number, item = scene.item, bucket = 0): void {
  const { small, faction, base } = scene
  const to = openStore(small.world, { faction, base, bucket })
  moveItems(small.world, namedContainer('supply'), to, item, units)
}

export const inStore = (scene: FactionScene, item = scene.item, bucket = 0): number =>
  unitsInStore(scene.small.world, { faction: scene.faction, base: scene.base, bucket }, item)

export const treasury = ({ small, faction }: FactionScene): number =>
  balanceOf(small.world, treasuryOf(small.world, faction))

/** Returns the escrow of a buy order of the faction, with tax: it pays its founder's rate. */
export const costOf = (scene: FactionScene, credits: number): number =>
  credits + taxOn(scene, credits)

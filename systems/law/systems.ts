/** What the law does in a tick by itself. */
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { Player } from '../account/columns.ts'
import { Fighting, Participant } from '../combat/columns.ts'
import { CriminalRecord, Jailed, Offence, Warrant } from './columns.ts'
import { lapseOffences } from './crimes.ts'
import { reviewDetention } from './debts.ts'

/** Offences lapse; the detained who can pay, or have served their time, are let go. */
export const review: SystemDef = {
  name: 'law.review',
  phase: 'arrive',
  reads: [Fighting, Participant],
  writes: [CriminalRecord, Offence, Warrant, Player, Account],
  run(world) {
    lapseOffences(world)
    for (const player of world.byId(Player, [Jailed])) reviewDetention(world, player)
  },
}

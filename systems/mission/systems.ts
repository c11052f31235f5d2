/** Missions in a tick: expiry, collections, notifications of progress; and their invariants. */
import { assert } from '../../core/assert.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { GOODS_WRITES } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { World } from '../../core/types.ts'
import { Player, PlayerStats } from '../account/state.ts'
import { Locker } from '../cargo/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { Posting } from '../posting/state.ts'
import { Ship } from '../ship/state.ts'
import { XP_WRITES } from '../skill/rules.ts'
import { TaxLedger } from '../tax/state.ts'
import { settlePools } from './community-rules.ts'
import { forgetErrands } from './errand-model.ts'
import { missionId, missionsOf, sharesSum, slotOf, templateOf } from './model.ts'
import { advertise, isEpochStart } from './pay-model.ts'
import { closeMission, lapseDue } from './rules.ts'
import { missionUpdate } from './schemas.ts'
import { ACTIVE, Advertised, Mission, POOLS, RESCUES_ABOVE_MAX } from './state.ts'
import { describeObjective } from './views.ts'

/* Invariants of missions. Source: missions.md section 10. */

/** Checks every active mission. */
export const missionsHold: CheckDef = {
  name: 'missions: listed under their players, bounded, not expired, counted',
  run(view, full) {
    if (!full || view.countOf(Mission) === 0) return
    const { alive, player, expireTick, progress } = view.read(Mission)
    for (let mission = 1; mission <= view.highOf(Mission); mission++) {
      if (alive[mission] === 0) continue
      const open = missionsOf(view, player[mission])
      assert(open.includes(mission), `mission ${mission} is not listed`)
      const max = MISSIONS_MAX + RESCUES_ABOVE_MAX
      assert(open.length <= max, `player ${player[mission]} has too many missions`)
      assert(expireTick[mission] > view.tick, `mission ${mission} is over`)
      for (const [index, { quantity }] of templateOf(view, mission).objectives.entries()) {
        const counted = progress[slotOf(mission, index)]
        assert(counted >= 0 && counted <= quantity, `mission ${mission} counts ${counted}`)
      }
    }
  },
}

/** Checks that the shares of each open collection (POOLS) add up to what it has received. */
export const collectionsHold: CheckDef = {
  name: 'collections: what has been given is the sum of the shares of the givers',
  run(view, full) {
    if (!full) return
    for (const [id, { given, phase }] of view.records(POOLS).entries()) {
      if (phase === 'open')
        assert(sharesSum(view, id) === given, `the shares of ${id} do not add up to what was given`)
    }
  },
}

/**
 * Expires missions, after phase act: they can be completed in their last tick. Source: missions.md
 * section 9.
 */
export const expire: SystemDef = {
  name: 'mission.expire',
  phase: 'produce',
  writes: [...GOODS_WRITES, Account, CriminalRecord, Locker, Mission, Posting, Ship],
  run: lapseDue,
}

/** Pays the shares of full collections. */
export const collect: SystemDef = {
  name: 'mission.collect',
  phase: 'produce',
  writes: [...XP_WRITES, Account, CriminalRecord, Mission, Player, PlayerStats, TaxLedger],
  run: (world) => settlePools(world, (mission) => closeMission(world, mission)),
}

/**
 * At the start of an epoch, records what managers sell, which clears all boards, and deletes the
 * records of past errands.
 */
export const survey: SystemDef = {
  name: 'mission.survey',
  phase: 'produce',
  writes: [Advertised],
  run(world) {
    if (!isEpochStart(world)) return
    advertise(world)
    forgetErrands(world)
  },
}

/** Sends one notification per mission and tick, about the objective that progressed last. */
function notifyProgress(world: World): void {
  const { moved } = world.index(ACTIVE)
  if (moved.size === 0) return
  const { alive, player, progress, seq } = world.read(Mission)
  const open = [...moved].filter(([mission]) => alive[mission] === 1)
  moved.clear()
  for (const [mission, index] of open.sort(([a], [b]) => seq[a] - seq[b])) {
    const payload = {
      mission_id: missionId(world, mission),
      objective: describeObjective(world, mission, index),
      current: progress[slotOf(mission, index)],
      required: templateOf(world, mission).objectives[index].quantity,
    }
    emit(world, missionUpdate, payload, toPlayer(player[mission]))
  }
}

/** Notifies players of the progress of their missions. */
export const notifyOfProgress: SystemDef = {
  name: 'mission.tell',
  phase: 'settle',
  writes: [],
  run: notifyProgress,
}

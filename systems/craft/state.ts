/**
 * Jobs: what workshops and facilities have been asked to make, take apart, pack and unpack, with
 * the goods of each in a container of its own. Source: crafting.md sections 2, 13.
 */
import { defineComponent, defineEntity, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'

export const JOBS_PER_PLAYER_MAX = 200
/** Of one player in a facility that is not theirs or their faction's. */
export const JOBS_PER_FOREIGN_FACILITY_MAX = 20
export const JOBS_PER_FACILITY_MAX = 1_000
export const JOB_RUNS_MAX = 10_000
/** Units of output of one job. */
export const JOB_UNITS_MAX = 1_000_000
export const JOB_LABEL_CHARACTERS_MAX = 64
/** Runs of one facility, or one workshop, in a tick. */
export const JOB_RUNS_PER_TICK_MAX = 1_000
/** Jobs of a queue looked at for one whose outputs have room: the rest waits. */
export const JOBS_TRIED_MAX = 32
/** Venues compared for one job. */
export const VENUES_COMPARED_MAX = 200
/** Jobs in an answer; `total_jobs` counts them all. */
export const JOBS_LISTED_MAX = 200
/** Experience of one workshop in a tick. */
export const WORKSHOP_XP_PER_TICK_MAX = 500
/** Packages that bring the inputs of one job. */
export const PACKAGES_BROUGHT_MAX = 50

/* Packages (trade-storage.md 1, 5) */
/** Space of what is in a package, and of the package in a hold. */
export const PACKAGE_SIZE = 100

/** What a job does (append only). */
export const MODES = ['craft', 'recycle', 'pack', 'unpack'] as const
export const [CRAFT, RECYCLE, PACK, UNPACK] = [0, 1, 2, 3]

/** State of a job as it is kept: a pause follows from where it is. */
export const QUEUED = 0
export const RUNNING = 1
/** Its next run is done but for the room the outputs need. */
export const BLOCKED = 2

/** Class in a queue: the owner's and their faction's members', then everyone else's. */
export const INTERNAL = 0
export const EXTERNAL = 1

export const Job = defineEntity('job', ROWS.jobs, {
  player: ref('player', 'who ordered it'),
  base: ref('base', 'where it is worked on'),
  facility: ref('facility', 'what works on it; 0 the workshop of who ordered it'),
  recipe: u16('index into RECIPES', { catalog: 'recipes' }),
  mode: u8('index into MODES'),
  status: u8('0 queued, 1 running, 2 blocked'),
  lane: u8('0 internal, 1 external: before everything else in the order of the queue'),
  position: u32('order in the lane, from 1; ties by seq'),
  runsTotal: u32('runs ordered'),
  runsDone: u32('runs completed'),
  need: u32('work of a run, thousandths of a tick at speed 1'),
  progress: u32('work done on the run under way, thousandths'),
  laborEach: f64('labor of a run, credits'),
  fee: f64('rent of all runs, credits'),
  escrow: ref('container', 'inputs of the runs to come; outputs that wait to be packed'),
  pkg: ref('package', 'what it packs or unpacks, or what its outputs go into; 0 none'),
  // numbers, not rows: they stay true of what is gone
  fromFaction: f64('number of the faction whose store and treasury paid; 0 the own ones'),
  toFaction: f64('number of the faction whose store gets the outputs; 0 the own locker'),
  fromStore: f64('number of the bucket the inputs came from; 0 the main store, -1 the hold'),
  toStore: f64('number of the bucket the outputs go to; 0 the main store, -1 the hold'),
})

/** Of a base: the credits of all its jobs. */
export const Bench = defineComponent(Base, 'bench', {
  escrow: ref('account', 'labor and rent of runs to come; 0 until the first job'),
})

export interface Queue {
  /** The facility; 0 for a workshop. */
  readonly facility: Row
  /** Of a workshop: whose it is. */
  readonly player: Eid
  readonly base: Row
  /** Jobs by lane, position and number. */
  readonly jobs: Row[]
  /** Work of the runs not completed, by lane; thousandths of a tick at speed 1. */
  readonly work: [number, number]
  /** The job that is marked as running; 0 none. */
  current: Row
}

interface Queues {
  readonly byKey: Map<number, Queue>
  /** With jobs in them, by number of the facility. */
  readonly facilities: Queue[]
  /** With jobs in them, by number of the player, then of the base. */
  readonly workshops: Queue[]
  /** Live jobs by player, in the order of their numbers. */
  readonly byPlayer: Map<Eid, Row[]>
}

export const QUEUES = defineIndex(
  'craft.queues',
  (): Queues => ({ byKey: new Map(), facilities: [], workshops: [], byPlayer: new Map() }),
)

/** Credits by facility. Emptied by `craft.settle` in the same tick: never there between batches. */
export const OWED = defineIndex('craft.rent', () => new Map<Row, number>())

export interface Update {
  readonly job_id: string
  readonly recipe: string
  readonly mode: string
  readonly venue: string
  readonly storage: string
  /** Units by item. */
  readonly deposited: Map<number, number>
  runs_done: number
  runs_remaining: number
  escrowed_credits: number
  completed: boolean
  readonly external: boolean
  readonly output_package_id?: string
  readonly output_package_label?: string
}

export interface Report {
  /** By row of the job, which is not used again within the tick. */
  readonly jobs: Map<Row, Update>
  readonly xp: { refining: number; crafting: number; engineering: number }
}

/** Emptied by `tellReports` in the same tick: never there between batches. */
export const REPORTS = defineIndex('craft.reports', () => new Map<Eid, Report>())

interface Produced {
  readonly faction: Row
  readonly base: Row
  readonly actor: Eid
  /** Units by item. */
  readonly made: Map<number, number>
}

/** By faction and base. Emptied by `tellReports` in the same tick, as REPORTS is. */
export const PRODUCED = defineIndex('craft.produced', () => new Map<string, Produced>())

/**
 * Faults of the store that callers distinguish. A refusal by the rules is never a fault but an
 * Outcome.
 */
import { RULES_RELEASES } from '../core/version.ts'

/** Another server holds this world. Source: RELIABILITY 5, F11. */
export class WorldLockedError extends Error {
  override name = 'WorldLockedError'
}

/**
 * Another server wrote to the journal of this world; the world in memory no longer follows from it.
 */
export class ForeignWriterError extends Error {
  override name = 'ForeignWriterError'
}

type DamagedPart = 'journal' | 'snapshot' | 'export'

/**
 * Stored bytes are not the ones that were written, or some are missing. Source: RELIABILITY 5, F10.
 */
export class StorageDamageError extends Error {
  override name = 'StorageDamageError'
  readonly part: DamagedPart
  /** The batch at which the damage was found. */
  readonly batch: number

  constructor(part: DamagedPart, batch: number, message: string) {
    super(message)
    this.part = part
    this.batch = batch
  }
}

/**
 * The newest snapshot is of later rules, or journal rows of other rules follow it. Source:
 * RELIABILITY 3, Versions.
 */
export class RulesVersionError extends Error {
  override name = 'RulesVersionError'
  readonly found: number

  /** `isReplica`: the reader follows a running server. */
  constructor(found: number, ours: number, batch: number, isReplica = false) {
    const release = RULES_RELEASES[found]
    const which = release ? `release ${release}` : 'the release that wrote it'
    const advice = isReplica
      ? `start this node with the release of the one that leads ("npx orrery cluster" shows it)`
      : found > ours
        ? `start ${which}, or import an export of this release into an empty database`
        : `start ${which} and stop it once, so that it leaves a snapshot`
    super(
      `journal row ${batch} was written under rules version ${found}, this release has ${ours}: ${advice}`,
    )
    this.found = found
  }
}

/** The database cannot be used as it is configured; the message says what to do. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError'
}

/** A message of the bus is not one of ours and is ignored. */
export class BusMessageError extends Error {
  override name = 'BusMessageError'

  constructor() {
    super('a message of the bus could not be read')
  }
}

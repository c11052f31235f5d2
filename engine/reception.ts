/**
 * Receives commands: queries are answered at once, even in the middle of a tick; commands that
 * change the world go to the inbox. In the middle of a tick these have to wait: whether a mutation
 * is admitted depends on whether the player's last one has been answered, which is not known yet.
 */
import type { Engine } from '../core/engine.ts'
import { type Inbox, readsOnly, receive } from '../core/inbox.ts'
import type { Answer } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'
import { packQuery } from '../core/wire/packed.ts'
import type { LoopOptions } from './options.ts'
import type { Recorder } from './recorder.ts'

export interface Reception {
  /** Answers, acknowledges or queues each command, or keeps it until `release`. */
  take(commands: readonly Submission[]): void
  /** Called when a tick begins: from now on only queries are answered. */
  hold(): void
  /** Called when the tick is computed: takes the commands that were held, in order of arrival. */
  release(): void
}

/** Creates the reception of a world; commands that change the world go to `inbox`. */
export function createReception(
  engine: Engine,
  inbox: Inbox,
  options: Pick<LoopOptions, 'busy' | 'heartbeat' | 'describe' | 'post'>,
  recorder: Pick<Recorder, 'count'>,
): Reception {
  const { world, registry } = engine
  const { busy, heartbeat, describe, post } = options
  let isHolding = false
  /** Bounded, because main limits the commands it accepts. */
  let held: Submission[] = []
  /** Players with a held command: their later commands queue behind it. */
  const heldPlayers = new Set<number>()

  const mustWait = (submission: Submission): boolean => {
    const def = registry.commands.get(submission.command)
    if (heldPlayers.has(submission.player)) return true
    return def !== undefined && (def.betweenTicks === true || !readsOnly(def, submission))
  }
  const keep = (submission: Submission): void => {
    held.push(submission)
    // Player 0 stands for all who are not logged in: one of them must not hold up the others.
    if (submission.player !== 0) heldPlayers.add(submission.player)
  }
  const logBug = ({ command, player, requestId, outcome }: Answer): void => {
    const text = outcome.ok ? '' : outcome.message
    const fields = { command, player, requestId }
    post({ kind: 'log', level: 'error', fields, text })
  }
  const take = (commands: readonly Submission[]): void => {
    const answers: Answer[] = []
    busy(true)
    for (const command of commands) {
      if (isHolding && mustWait(command)) {
        keep(command)
        continue
      }
      heartbeat(command.ref)
      const received = receive(world, registry, inbox, command)
      const answer = received && packQuery(received, describe)
      if (answer) answers.push(answer)
      if (answer?.stage === 'final') recorder.count('queries')
      // A query that threw is answered with internal_error; the operator needs the cause.
      if (answer && isBug(answer)) logBug(answer)
    }
    heartbeat(0)
    busy(false)
    if (answers.length > 0) post({ kind: 'answers', answers })
  }
  return {
    take,
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      const commands = held
      held = []
      heldPlayers.clear()
      if (commands.length > 0) take(commands)
    },
  }
}

const isBug = ({ outcome }: Answer): boolean => !outcome.ok && outcome.code === 'internal_error'

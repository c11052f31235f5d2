/** Runs a query of the game in a past world. */
import type { CommandDef } from '../core/command.ts'
import { commandKey } from '../core/command.ts'
import type { Engine } from '../core/engine.ts'
import { createInbox, NO_REPLY, readsOnly, receive } from '../core/inbox.ts'
import type { Registry } from '../core/registry.ts'
import type { Submission } from '../core/types.ts'
import { createAddresses } from '../net/addresses.ts'
import { namesOf } from '../net/names.ts'
import { nearestV1, nearestV2 } from '../net/nearest.ts'
import { structured } from '../net/publish/frames.ts'
import { createValidators, parseObject, validate } from '../net/validate.ts'
import { ToolError } from './tool.ts'

export interface PastQuery {
  /** The name in v1, or in v2: `game_info/get_status`. */
  readonly name: string
  /** JSON. */
  readonly params: string
  /** Number of the player who sends the query; 0: not logged in. */
  readonly player: number
}

/** Returns a definition by its name in v1 or v2; throws ToolError with similar names. */
function definitionNamed(registry: Registry, name: string): { def: CommandDef; isV2: boolean } {
  const names = createAddresses(registry)
  const v1 = names.v1.get(name)
  if (v1) return { def: v1, isV2: false }
  // The v2 address of a tool without actions is its name and a slash.
  const v2 = names.v2.get(name) ?? names.v2.get(`${name}/`)
  if (v2) return { def: v2, isV2: true }
  const [tool, action = ''] = name.split('/')
  const near = name.includes('/') ? nearestV2(names, tool, action) : nearestV1(names, name)
  const hint = near.length === 0 ? '' : ` Similar names: ${near.join(', ')}.`
  throw new ToolError(`There is no command "${name}".${hint} docs/commands.md lists all.`)
}

/** Returns the answer of the world in the form HTTP returns; throws ToolError with a refusal. */
export function queryWorld({ world, registry }: Engine, query: PastQuery): unknown {
  const { def, isV2 } = definitionNamed(registry, query.name)
  const sent = parseObject(query.params)
  if (!sent) throw new ToolError(`--params takes an object in JSON: '{"page": 1}'.`)
  const checked = validate(createValidators(), def, sent, isV2)
  if (!checked.ok) throw new ToolError(`${query.name} refuses its parameters: ${checked.message}`)
  const submission: Submission = {
    ref: NO_REPLY,
    player: query.player,
    command: commandKey(def),
    params: checked.params,
    framing: isV2 ? 'http2' : 'http1',
  }
  if (def.kind === 'session' || !readsOnly(def, submission)) {
    throw new ToolError(`${query.name} is not a query: a past world only answers queries.`)
  }
  const answer = receive(world, registry, createInbox(), submission)
  if (!answer) throw new ToolError(`${query.name} got no answer.`)
  const { outcome, archive } = answer
  if (!outcome.ok) throw new ToolError(`${query.name} answers ${outcome.code}: ${outcome.message}`)
  if (archive) {
    throw new ToolError(
      `${query.name} is answered from the archive, which has no past states: ask the server, or ` +
        'write the world to a file with --export and import that elsewhere.',
    )
  }
  const reply = { def, stage: 'final' as const, acknowledged: false, tick: world.tick, outcome }
  return namesOf(registry).value(isV2 ? 2 : 1, structured(submission.framing, reply))
}

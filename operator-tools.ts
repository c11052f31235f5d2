/** Answers the requests of operators' tools to a running server (storage/tools-channel.ts). */
import { VERSION } from './core/catalog/changelog.ts'
import { createRegistry, type Registry } from './core/registry.ts'
import type { NetServer } from './net/net.ts'
import { createValidators, isObject, type Params, validate } from './net/validate.ts'
import type { WorldLink } from './net/world-link.ts'
import type { ToolHandler, ToolReply } from './storage/tools-channel.ts'
import { DOMAINS } from './systems/registry.ts'

/** Applies a correction between two batches; answers with its outcome and tick. */
async function correct(link: WorldLink, registry: Registry, args: Params = {}): Promise<ToolReply> {
  const { command: name, params } = args
  const command = `internal:correct_${name}`
  const def = registry.commands.get(command)
  if (!def) return { ok: false, text: `it has no correction ${name}; use a tool of its release` }
  const checked = validate(createValidators(), def, isObject(params) ? params : {}, false)
  if (!checked.ok) return { ok: false, text: checked.message }
  const request = { player: 0, command, params: checked.params, framing: 'ws2' } as const
  const { outcome } = await link.ask(request)
  if (!outcome.ok) return { ok: false, text: `${outcome.code}: ${outcome.message}` }
  return { ok: true, result: outcome.result }
}

/** Returns the handler of the requests. `net`: undefined for a process without players. */
export function answerTools(link: WorldLink, net: NetServer | undefined): ToolHandler {
  const registry = createRegistry(DOMAINS)
  return async ({ kind, args }) => {
    if (kind === 'warn') {
      if (!net) {
        return { ok: false, text: 'the leader has no players to warn: stop the gateways' }
      }
      net.warn(Number(args?.seconds), String(args?.version ?? VERSION))
      return { ok: true }
    }
    if (kind === 'anonymous') {
      const params = { player: Number(args?.player), anonymous: args?.anonymous === true }
      const command = 'internal:set_anonymous'
      const { outcome } = await link.ask({ player: 0, command, params, framing: 'ws2' })
      return outcome.ok ? { ok: true } : { ok: false, text: outcome.message }
    }
    if (kind === 'correct') return correct(link, registry, args)
    if (kind !== 'snapshot')
      return { ok: false, text: `it has no request ${kind}; use a tool of its release` }
    const error = await link.snapshot()
    return error === undefined ? { ok: true } : { ok: false, text: error }
  }
}

/** Requests from main to the world thread that await a reply, matched by token. */
import type { ToMain, ToWorld } from '../core/ports.ts'
import type { WorldThread } from './world-thread.ts'

type Request = Extract<ToWorld, { readonly token: number }>
type Reply = Extract<ToMain, { readonly token: number }>

export interface WorldRequests {
  /** Resolves with the reply, or with the reason why there is none. */
  ask(thread: WorldThread | undefined, kind: Request['kind']): Promise<Reply | string>
  answer(reply: Reply): void
  /** Resolves all open requests with this reason: the world thread has ended and will not reply. */
  end(text: string): void
}

/** Creates an empty set of requests. */
export function createRequests(): WorldRequests {
  const pending = new Map<number, (reply: Reply | string) => void>()
  let lastToken = 0
  return {
    ask: (thread, kind) =>
      new Promise((resolve) => {
        if (!thread) {
          resolve('the world is recovering: try again')
          return
        }
        const token = ++lastToken
        pending.set(token, resolve)
        thread.post({ kind, token })
      }),
    answer(reply) {
      pending.get(reply.token)?.(reply)
      pending.delete(reply.token)
    },
    end(text) {
      for (const resolve of pending.values()) resolve(text)
      pending.clear()
    },
  }
}

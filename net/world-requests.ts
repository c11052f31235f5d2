/** What main asks of the world thread and waits for, by token. */
import type { ToMain, ToWorld } from '../core/ports.ts'
import type { WorldThread } from './world-thread.ts'

type Request = Extract<ToWorld, { readonly token: number }>
type Reply = Extract<ToMain, { readonly token: number }>

export interface WorldRequests {
  /** Resolves with the reply, or with a text that says why there is none. */
  ask(thread: WorldThread | undefined, kind: Request['kind']): Promise<Reply | string>
  answer(reply: Reply): void
  /** Ends all requests with this text: the world thread has ended, so no reply will come. */
  end(text: string): void
}

export function createRequests(): WorldRequests {
  const waiting = new Map<number, (reply: Reply | string) => void>()
  let lastToken = 0
  return {
    ask: (thread, kind) =>
      new Promise((resolve) => {
        if (!thread) {
          resolve('the world is recovering: try again')
          return
        }
        const token = ++lastToken
        waiting.set(token, resolve)
        thread.post({ kind, token })
      }),
    answer(reply) {
      waiting.get(reply.token)?.(reply)
      waiting.delete(reply.token)
    },
    end(text) {
      for (const done of waiting.values()) done(text)
      waiting.clear()
    },
  }
}

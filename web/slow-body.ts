/**
 * Bodies from the archive that change during a battle. They are reloaded slowly, because each load
 * costs the server a query.
 */
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Loaded, retry, useBody } from './api.ts'

/** Far below the rate limit of an IP address, whatever the length of a tick. */
const RELOAD_EVERY_MS = 6_000

/** Returns a body that is reloaded every few seconds while `isLive` returns true for it. */
export function useSlowBody<T>(path: string, isLive: (body: T) => boolean): Signal<Loaded<T>> {
  const state = useBody<T>(path, 'M')
  useEffect(() => {
    const timer = setInterval(() => {
      const { data, failure } = state.peek()
      // A failed load retries on its own schedule.
      if (data && !failure && !document.hidden && isLive(data)) retry(path)
    }, RELOAD_EVERY_MS)
    return () => clearInterval(timer)
  }, [state])
  return state
}

/** Runs the cleanup of a tool when a signal ends it: by Ctrl-C, or by SIGTERM. */

const cleanups: (() => Promise<unknown>)[] = []
let isEnding = false

/** Cleans up in reverse order and ends the process; a second signal ends it at once. */
function end(): void {
  if (isEnding) process.exit(1)
  isEnding = true
  process.stderr.write('Interrupted: cleaning up. Interrupt again to exit at once.\n')
  const cleanUp = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup().catch(() => {})
  }
  void cleanUp().finally(() => process.exit(1))
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Registers what to run when a signal ends the process; returns a function that unregisters it. */
export function onInterrupt(cleanup: () => Promise<unknown>): () => void {
  if (cleanups.length === 0) for (const signal of SIGNALS) process.on(signal, end)
  cleanups.push(cleanup)
  return () => {
    const index = cleanups.lastIndexOf(cleanup)
    if (index >= 0) cleanups.splice(index, 1)
    if (cleanups.length === 0) for (const signal of SIGNALS) process.off(signal, end)
  }
}

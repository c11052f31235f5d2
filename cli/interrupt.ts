/** What a tool undoes when a signal ends it: by Ctrl-C, or by SIGTERM. */

const undoings: (() => Promise<unknown>)[] = []
let isEnding = false

/** Undoes the last thing first; a second signal does not wait for it. */
function end(): void {
  if (isEnding) process.exit(1)
  isEnding = true
  process.stderr.write('Ending: what was begun is undone. Once more ends at once.\n')
  const undo = async (): Promise<void> => {
    for (const one of undoings.splice(0).reverse()) await one().catch(() => {})
  }
  void undo().finally(() => process.exit(1))
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Registers what a signal runs before the process ends; returns a function that undoes that. */
export function onInterrupt(undo: () => Promise<unknown>): () => void {
  if (undoings.length === 0) for (const signal of SIGNALS) process.on(signal, end)
  undoings.push(undo)
  return () => {
    const index = undoings.lastIndexOf(undo)
    if (index >= 0) undoings.splice(index, 1)
    if (undoings.length === 0) for (const signal of SIGNALS) process.off(signal, end)
  }
}

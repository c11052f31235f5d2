/**
 * What is to be done when a test is over, or its file for what was made outside of tests; setup.ts
 * does it.
 */
type Task = () => void

/** Done after a test, before what `atEnd` was given. */
export const AFTER_TEST = new Set<Task>()

const endOfTest: Task[] = []
const endOfFile: Task[] = []
let isInTest = false

/**
 * Keeps a task for the end of the test that runs, with the hooks around it; outside of tests, or
 * where it is to outlive them, for that of the file.
 */
export const atEnd = (task: Task, outlivesTest: boolean): void =>
  void (isInTest && !outlivesTest ? endOfTest : endOfFile).push(task)

const doAll = (tasks: Task[]): void => {
  for (const task of tasks.splice(0)) task()
}

export function beginTest(): void {
  isInTest = true
}

export function endTest(): void {
  isInTest = false
  const due = [...AFTER_TEST]
  AFTER_TEST.clear()
  try {
    for (const check of due) check()
  } finally {
    doAll(endOfTest)
  }
}

export const endFile = (): void => doAll(endOfFile)

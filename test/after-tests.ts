/**
 * Tasks for the end of a test, or of its file for what is made outside of tests. The hooks of
 * setup.ts run them.
 */
type Task = () => void

/** Checks that run once after the current test, before the tasks of `atEnd`. */
export const AFTER_TEST = new Set<Task>()

const endOfTest: Task[] = []
const endOfFile: Task[] = []
let isInTest = false

/**
 * Runs a task at the end of the current test, after its hooks; outside of tests, or where it is to
 * outlive the test, at the end of the file.
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
  const checks = [...AFTER_TEST]
  AFTER_TEST.clear()
  try {
    for (const check of checks) check()
  } finally {
    doAll(endOfTest)
  }
}

export const endFile = (): void => doAll(endOfFile)

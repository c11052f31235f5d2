/**
 * The last lines of a test run: which tests passed only when they were tried again, as those that
 * wait for real sockets and databases may on a busy machine, with what went wrong the first time,
 * and how many passed and failed.
 */
import type { TestCase, TestModule } from 'vitest/node'

/** Returns a test that needed a second try, with the first line of what the first try failed by. */
function describeFlaky(test: TestCase): string {
  const { errors = [] } = test.result()
  const reason = errors[0]?.message.split('\n')[0] ?? 'no error is known'
  return `${test.module.moduleId}: ${test.fullName}: ${reason}`
}

export default class ClosingReporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    const again: string[] = []
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++
        else failed++
        if (test.diagnostic()?.flaky) again.push(describeFlaky(test))
      }
    }
    if (again.length > 0) console.log(`\nPassed at the second try:\n  ${again.join('\n  ')}`)
    console.log(`\n${passed} passed, ${failed} failed`)
    if (failed > 0 || passed === 0) process.exitCode = 1
  }
}

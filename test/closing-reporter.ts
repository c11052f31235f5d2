/**
 * Prints the last lines of a test run: how many tests passed and failed, and which passed only at
 * their second try, with the first error. Tests of real sockets and databases may need a second try
 * on a busy machine.
 */
import type { TestCase, TestModule, Vitest } from 'vitest/node'

/** Describes a test that needed a second try, with the first line of its first error. */
function describeFlaky(test: TestCase): string {
  const { errors = [] } = test.result()
  const reason = errors[0]?.message.split('\n')[0] ?? 'no error is known'
  return `${test.module.moduleId}: ${test.fullName}: ${reason}`
}

export default class ClosingReporter {
  /** True if only tests of some names were asked for: the others are skipped. */
  private isFiltered = false

  onInit({ config }: Vitest): void {
    this.isFiltered = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    const flaky: string[] = []
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state !== 'skipped' || !this.isFiltered) failed++
        if (test.diagnostic()?.flaky) flaky.push(describeFlaky(test))
      }
    }
    if (flaky.length > 0) console.log(`\nPassed at the second try:\n  ${flaky.join('\n  ')}`)
    console.log(`\n${passed} passed, ${failed} failed`)
    if (failed > 0 || passed === 0) process.exitCode = 1
  }
}

/**
 * The last lines of a test run: which tests passed only when they were tried again, as those that
 * wait for real sockets and databases may on a busy machine, and how many passed and failed.
 */
import type { TestModule } from 'vitest/node'

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
        if (test.diagnostic()?.flaky) again.push(`${module.moduleId}: ${test.fullName}`)
      }
    }
    if (again.length > 0) console.log(`\nPassed at the second try:\n  ${again.join('\n  ')}`)
    console.log(`\n${passed} passed, ${failed} failed`)
    if (failed > 0 || passed === 0) process.exitCode = 1
  }
}

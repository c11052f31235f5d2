/** The page of guides as it is served: lists stay lists, and indented text is code. */
import { Window } from 'happy-dom'
import { expect, test } from 'vitest'
import { DRONE_SAMPLES } from '../../../core/catalog/guides/drone-samples.ts'
import { GUIDES } from '../../../core/catalog/guides.ts'
import { createRegistry } from '../../../core/registry.ts'
import { readHtml } from '../../../net/docs/rendered.ts'
import { namesOf } from '../../../net/names.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const names = namesOf(createRegistry(DOMAINS))
/** The texts, with commands under the names that the page gives them. */
const guides = GUIDES.map(({ content }) => names.text(1, content))
const joined = (text: string): string => text.replace(/\s+/g, ' ').trim()

async function textsOf(selector: string): Promise<string[]> {
  const { document } = new Window()
  document.body.innerHTML = await readHtml('guides')
  return [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
}

/** List items as the guides write them: a marker, then indented lines up to the next one. */
const items = guides.flatMap((content) =>
  [...content.matchAll(/^(?:-|\d+\.) (.*(?:\n +\S.*)*)/gm)].map(([, text]) => joined(text)),
)

test('a list item is shown whole, with all of its lines', async () => {
  expect(items.length).toBeGreaterThan(70)
  const listed = (await textsOf('li')).map(joined)
  expect(listed).toEqual(items)
})

test('indented text is code, and nothing else is', async () => {
  const blocks = await textsOf('pre')
  const sources = guides.join('\n')
  for (const block of blocks)
    for (const line of block.trimEnd().split('\n')) expect(sources).toContain(`\n  ${line}`)
  const inItems = blocks.filter((block) => items.some((item) => item.endsWith(joined(block))))
  expect(inItems).toEqual([])
  expect(blocks.length).toBeGreaterThan(50)
})

test('every drone script is shown as one block', async () => {
  const blocks = (await textsOf('pre')).map((block) => block.trimEnd())
  for (const { id, script } of DRONE_SAMPLES)
    expect({ id, blocks }).toMatchObject({ blocks: expect.arrayContaining([script]) })
})

test('every guide has its title as a heading, and no Markdown is left in its text', async () => {
  const titles = guides.map((content) => /^# (.*)$/m.exec(content)?.[1] ?? 'no title')
  const headings = (await textsOf('h2')).map((text) => text.replace(/#$/, ''))
  expect(headings).toEqual(expect.arrayContaining(titles))
  for (const text of await textsOf('p, li'))
    expect(text.replace(/\s/g, ' ')).not.toMatch(/```|^#+ |\*\*|\]\(/)
})

// On a ready-made page that was opened by itself: go on in the site, where everything works.

const [, name, game] = location.pathname.match(/(\w+)(?:-(\w+))?(?:\.html)?$/) ?? [];
if (parent === window) location.replace(`../../#/${[name, game].filter(Boolean).join("/")}`);

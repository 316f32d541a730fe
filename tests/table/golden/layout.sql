CREATE TABLE browsers (
	id VARCHAR(64) NOT NULL,
	made FLOAT NOT NULL,
	replaces VARCHAR(64) DEFAULT '' NOT NULL,
	visitor VARCHAR(64) DEFAULT '' NOT NULL,
	seen FLOAT DEFAULT '0' NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX browsers_by_visitor ON browsers (visitor);

CREATE TABLE budgets (
	kind VARCHAR(16) NOT NULL,
	client VARCHAR(64) NOT NULL,
	level FLOAT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (kind, client)
);

CREATE INDEX budgets_by_at ON budgets (at);

CREATE TABLE groups (
	id VARCHAR(32) NOT NULL,
	name VARCHAR(64) NOT NULL,
	link VARCHAR(64) NOT NULL,
	last INTEGER NOT NULL,
	created FLOAT NOT NULL,
	used FLOAT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (link)
);

CREATE TABLE hours (
	id INTEGER NOT NULL,
	seconds FLOAT NOT NULL,
	noted FLOAT DEFAULT '0' NOT NULL,
	PRIMARY KEY (id)
);

CREATE TABLE looks (
	process VARCHAR(32) NOT NULL,
	"match" VARCHAR(32) NOT NULL,
	visitor VARCHAR(64) NOT NULL,
	client VARCHAR(64) NOT NULL,
	pages INTEGER NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (process, "match", visitor, client)
);

CREATE INDEX looks_by_match ON looks ("match");

CREATE TABLE matches (
	id VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	rules INTEGER NOT NULL,
	options TEXT NOT NULL,
	"key" VARCHAR(64) NOT NULL,
	commitment VARCHAR(64) NOT NULL,
	status VARCHAR(8) NOT NULL,
	public BOOLEAN NOT NULL,
	hints BOOLEAN DEFAULT 0 NOT NULL,
	screen BOOLEAN DEFAULT 0 NOT NULL,
	origin VARCHAR(32) DEFAULT '' NOT NULL,
	taken INTEGER DEFAULT '0' NOT NULL,
	waits FLOAT DEFAULT '0' NOT NULL,
	pace INTEGER DEFAULT '0' NOT NULL,
	aborted INTEGER DEFAULT '0' NOT NULL,
	earlier TEXT DEFAULT '[]' NOT NULL,
	by_lines BOOLEAN DEFAULT 0 NOT NULL,
	host VARCHAR(64) NOT NULL,
	created FLOAT NOT NULL,
	rematch VARCHAR(32) NOT NULL,
	group_id VARCHAR(32) DEFAULT '' NOT NULL,
	request TEXT DEFAULT '' NOT NULL,
	revision INTEGER NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX matches_by_group ON matches (group_id, created);

CREATE INDEX matches_by_status ON matches (status, created);

CREATE TABLE passes (
	id VARCHAR(64) NOT NULL,
	owner VARCHAR(64) NOT NULL,
	made FLOAT NOT NULL,
	PRIMARY KEY (id)
);

CREATE TABLE processes (
	id VARCHAR(32) NOT NULL,
	threads INTEGER NOT NULL,
	beat FLOAT NOT NULL,
	PRIMARY KEY (id)
);

CREATE TABLE pushes (
	id VARCHAR(64) NOT NULL,
	owner VARCHAR(64) NOT NULL,
	endpoint TEXT NOT NULL,
	p256dh VARCHAR(128) NOT NULL,
	auth VARCHAR(64) NOT NULL,
	language VARCHAR(16) NOT NULL,
	home VARCHAR(255) NOT NULL,
	created FLOAT NOT NULL,
	told BOOLEAN NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX pushes_by_owner ON pushes (owner);

CREATE TABLE reports (
	"match" VARCHAR(32) NOT NULL,
	line INTEGER NOT NULL,
	reporter VARCHAR(64) NOT NULL,
	seat INTEGER NOT NULL,
	name VARCHAR(64) NOT NULL,
	text TEXT NOT NULL,
	said FLOAT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY ("match", line, reporter)
);

CREATE TABLE tokens (
	id VARCHAR(64) NOT NULL,
	maker VARCHAR(64) NOT NULL,
	address VARCHAR(64) NOT NULL,
	name VARCHAR(64) NOT NULL,
	scopes VARCHAR(64) NOT NULL,
	created FLOAT NOT NULL,
	used FLOAT NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX tokens_by_address ON tokens (address);

CREATE INDEX tokens_by_maker ON tokens (maker);

CREATE TABLE analyses (
	"match" VARCHAR(32) NOT NULL,
	games INTEGER NOT NULL,
	chances TEXT NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE chat (
	"match" VARCHAR(32) NOT NULL,
	id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	text TEXT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY ("match", id),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE forfeits (
	group_id VARCHAR(32) NOT NULL,
	number INTEGER NOT NULL,
	text VARCHAR(255) NOT NULL,
	made FLOAT NOT NULL,
	PRIMARY KEY (group_id, number),
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);

CREATE TABLE hooks (
	"match" VARCHAR(32) NOT NULL,
	url TEXT NOT NULL,
	owner VARCHAR(64) NOT NULL,
	language VARCHAR(16) NOT NULL,
	home VARCHAR(255) NOT NULL,
	failures INTEGER NOT NULL,
	heard INTEGER DEFAULT '-1' NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE member_devices (
	group_id VARCHAR(32) NOT NULL,
	member INTEGER NOT NULL,
	owner VARCHAR(64) NOT NULL,
	seen FLOAT NOT NULL,
	PRIMARY KEY (group_id, member, owner),
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);

CREATE INDEX member_devices_by_owner ON member_devices (owner);

CREATE TABLE members (
	group_id VARCHAR(32) NOT NULL,
	member INTEGER NOT NULL,
	name VARCHAR(64) NOT NULL,
	colour INTEGER NOT NULL,
	PRIMARY KEY (group_id, member),
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);

CREATE TABLE plies (
	"match" VARCHAR(32) NOT NULL,
	ply INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	events TEXT NOT NULL,
	at FLOAT NOT NULL,
	since INTEGER NOT NULL,
	PRIMARY KEY ("match", ply),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE recollections (
	group_id VARCHAR(32) NOT NULL,
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	number INTEGER NOT NULL,
	member INTEGER NOT NULL,
	n INTEGER NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (group_id, "match"),
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);

CREATE TABLE results (
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	won BOOLEAN NOT NULL,
	points FLOAT,
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	name VARCHAR(64) NOT NULL,
	owner VARCHAR(64),
	link VARCHAR(64),
	bot VARCHAR(64) NOT NULL,
	stand_in VARCHAR(64) NOT NULL,
	nonce VARCHAR(64) NOT NULL,
	pledge VARCHAR(64) DEFAULT '' NOT NULL,
	called VARCHAR(64) DEFAULT '' NOT NULL,
	label VARCHAR(64) DEFAULT '' NOT NULL,
	due FLOAT DEFAULT '0' NOT NULL,
	member INTEGER DEFAULT '0' NOT NULL,
	wanted VARCHAR(64),
	wanted_name VARCHAR(64) DEFAULT '' NOT NULL,
	declined VARCHAR(64),
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE,
	UNIQUE (link)
);

CREATE INDEX seats_by_due ON seats (due);

CREATE INDEX seats_by_owner ON seats (owner);

CREATE TABLE series (
	group_id VARCHAR(32) NOT NULL,
	"match" VARCHAR(32) NOT NULL,
	member INTEGER NOT NULL,
	game VARCHAR(32) NOT NULL,
	won BOOLEAN NOT NULL,
	points FLOAT,
	lost FLOAT,
	at FLOAT NOT NULL,
	PRIMARY KEY (group_id, "match", member),
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);

CREATE TABLE snapshots (
	"match" VARCHAR(32) NOT NULL,
	ply INTEGER NOT NULL,
	layout VARCHAR(32) NOT NULL,
	state BLOB NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE TABLE turns (
	"match" VARCHAR(32) NOT NULL,
	due FLOAT NOT NULL,
	lease FLOAT NOT NULL,
	holder VARCHAR(64) NOT NULL,
	client VARCHAR(64) NOT NULL,
	alone BOOLEAN NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);

CREATE INDEX turns_by_due ON turns (due);

BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE analyses (
	"match" VARCHAR(32) NOT NULL, 
	games INTEGER NOT NULL, 
	chances TEXT NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE browsers (
	id VARCHAR(64) NOT NULL, 
	made FLOAT NOT NULL, 
	replaces VARCHAR(64) DEFAULT '' NOT NULL, 
	visitor VARCHAR(64) DEFAULT '' NOT NULL, 
	seen FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "browsers" VALUES('a1c9cc10a0881db4f6a234ee2165a930e6b867711ed60a7b7000dfae9c985220',1800000000.0,'','',1800000000.0);
CREATE TABLE budgets (
	kind VARCHAR(16) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	level FLOAT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (kind, client)
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
	origin VARCHAR(32) DEFAULT '' NOT NULL, 
	taken INTEGER DEFAULT '0' NOT NULL, 
	waits FLOAT DEFAULT '0' NOT NULL, 
	pace INTEGER DEFAULT '0' NOT NULL, 
	aborted INTEGER DEFAULT '0' NOT NULL, 
	earlier TEXT DEFAULT '[]' NOT NULL, 
	host VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	rematch VARCHAR(32) NOT NULL, 
	group_id VARCHAR(32) DEFAULT '' NOT NULL, 
	request TEXT DEFAULT '' NOT NULL, 
	revision INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('nSBNyJDqMzp8','tails',1,'{}','c46e211a40e143d58966c5f0e94fadaeeb2f348747d37e9ff01ee8a6905d1146','31b08506fdb93354c8eb8164df2202e49b0581bb8946f6a87c33b17a43bb8ac5','running',0,0,'',0,0.0,0,0,'[]','a1c9cc10a0881db4f6a234ee2165a930e6b867711ed60a7b7000dfae9c985220',1800000000.0,'','','',1);
CREATE TABLE member_devices (
	group_id VARCHAR(32) NOT NULL, 
	member INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	seen FLOAT NOT NULL, 
	PRIMARY KEY (group_id, member, owner), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE members (
	group_id VARCHAR(32) NOT NULL, 
	member INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	colour INTEGER NOT NULL, 
	PRIMARY KEY (group_id, member), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE passes (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (id)
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
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',0,-1,'[[-1, "first 1"]]',1800000000.0,1);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',1,1,'[[1, "near 26"], [-1, "tile 05-12-34"]]',1800000004.0,2);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',2,1,'[[1, "lay 0"], [-1, "tile 05-12-34"]]',1800000004.0,3);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',3,0,'[[0, "lay 0"]]',1800000004.0,4);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',4,0,'[[0, "far 3"], [-1, "tile 02-15-34"]]',1800000004.0,5);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',5,0,'[[0, "lay 0"], [-1, "tile 03-14-25"]]',1800000004.0,6);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',6,1,'[[1, "lay 0"]]',1800000004.0,7);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',7,1,'[[1, "near 14"], [-1, "tile 01-23-45"]]',1800000008.0,8);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',8,1,'[[1, "lay 0"], [-1, "tile 01-25-34"]]',1800000008.0,9);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',9,0,'[[0, "lay 0"]]',1800000008.0,10);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',10,0,'[[0, "far 11"], [-1, "tile 05-12-34"]]',1800000008.0,11);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',11,0,'[[0, "lay 0"], [-1, "tile 01-23-45"]]',1800000008.0,12);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',12,1,'[[1, "lay 0"]]',1800000008.0,13);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',13,1,'[[1, "far 18"], [-1, "tile 05-12-34"]]',1800000012.0,14);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',14,1,'[[1, "lay 0"], [-1, "tile 03-14-25"]]',1800000012.0,15);
INSERT INTO "plies" VALUES('nSBNyJDqMzp8',15,0,'[[0, "lay 0"]]',1800000012.0,16);
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
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE, 
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('nSBNyJDqMzp8',0,'person','','a1c9cc10a0881db4f6a234ee2165a930e6b867711ed60a7b7000dfae9c985220',NULL,'','','9c4559f6e3d4a14f7839d5041585b065','','','7113fab765592319e87a0a4440d014d4ba12a3d72aab836e0138e85c44251192',0.0,0);
INSERT INTO "seats" VALUES('nSBNyJDqMzp8',1,'bot','',NULL,NULL,'imp','','f1263ee291e724366209aba78f241aa4','','','253daaa8d7afa47b96621ecdf28a8d7049cd9bb7046061800ed73fa8b4138d43',0.0,0);
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
CREATE INDEX matches_by_group ON matches (group_id, created);
CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX browsers_by_visitor ON browsers (visitor);
CREATE INDEX tokens_by_maker ON tokens (maker);
CREATE INDEX tokens_by_address ON tokens (address);
CREATE INDEX pushes_by_owner ON pushes (owner);
CREATE INDEX looks_by_match ON looks ("match");
CREATE INDEX budgets_by_at ON budgets (at);
CREATE INDEX seats_by_due ON seats (due);
CREATE INDEX seats_by_owner ON seats (owner);
CREATE INDEX member_devices_by_owner ON member_devices (owner);
CREATE INDEX turns_by_due ON turns (due);
COMMIT;
